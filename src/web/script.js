// Keys for the board, and lists at their end. Every page works without it, by its links.
"use strict";
(() => {
  let links = [];

  // A player who has set no zone has that of the browser.
  const tellZone = () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    document.querySelectorAll("[data-zone]").forEach((field) => (field.value = timeZone));
  };

  const begin = () => {
    tellZone();
    links = [...document.querySelectorAll(".board svg a")];
    // What is latest in a long list is seen at once.
    const now = document.querySelector("ol.plies [aria-current]");
    if (now) {
      const list = now.closest("ol");
      list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    const said = document.querySelector("ol.said");
    if (said) said.scrollTop = said.scrollHeight;
  };
  begin();

  // What happens meanwhile is shown without a reload, as long as somebody looks. What was being written stays.
  const look = async () => {
    const main = document.querySelector("main[data-live]");
    if (!main || document.hidden || location.search.includes("ply=")) return;
    const answer = await fetch(location.href, { headers: { "X-Look": "1" } }).catch(() => null);
    if (!answer || !answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("main");
    if (fresh.dataset.live === main.dataset.live) return;
    document.title = page.title;
    document.getElementById("news").textContent = page.title;
    // Beside forms a part of the page alone is alive.
    const [live, its] = [main, fresh].map((one) => one.querySelector("#live") || one);
    const focused = document.activeElement.id;
    const written = [...live.querySelectorAll("textarea")].filter((field) => field.value);
    // Words that have no place any more stay where they are; the title has said what happened.
    if (!written.every((field) => its.querySelector(`#${field.id}`))) {
      delete main.dataset.live;
      return;
    }
    for (const field of written) {
      const its = fresh.querySelector(`#${field.id}`);
      its.value = field.value;
      if (its.closest("details")) its.closest("details").open = true;
    }
    live.replaceWith(its);
    main.dataset.live = fresh.dataset.live;
    const field = focused && document.getElementById(focused);
    if (field) field.focus();
    history.replaceState(null, "", answer.url);
    begin();
  };
  setInterval(look, 20000);

  // A page of parts, each of which ends with a tag or a line, and of each later page what changes: parts that are kept,
  // then such that are dropped, then text in their place.
  const unfold = (pages) => {
    let parts = [];
    return pages.map((changes) => {
      const next = [];
      let at = 0;
      for (const [kept, dropped, text] of changes) {
        next.push(...parts.slice(at, at + kept), ...(text.match(/[^>\n]*[>\n]|[^>\n]+$/g) || []));
        at += kept + dropped;
      }
      parts = next.concat(parts.slice(at));
      return parts.join("");
    });
  };

  // From ply to ply of a board without asking again: all its positions come at once, with the first step.
  let steps = null;
  const step = async (to) => {
    const at = document.getElementById("at");
    const main = at.closest("main");
    const of = main.dataset.live + at.dataset.steps;
    if (!steps || steps.of !== of) {
      steps = { of, all: fetch(at.dataset.steps).then((answer) => (answer.ok ? answer.json() : [])).then(unfold).catch(() => []) };
    }
    const all = await steps.all;
    const last = document.querySelectorAll("ol.plies li").length;
    const asked = to.searchParams.get("ply");
    const ply = asked === null ? last : Number(asked);
    if (!all[ply]) return location.assign(to);
    const focused = document.activeElement.getAttribute("aria-label") || "";
    const open = [...at.querySelectorAll("details")].map((one) => one.open);
    at.innerHTML = all[ply];
    at.querySelectorAll("details").forEach((one, number) => (one.open = open[number]));
    for (const one of document.querySelectorAll("ol.plies a, .turns a")) {
      if (one.href === to.href) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    const now = document.querySelector(".graph .now");
    const points = now && document.querySelector(".graph .line").getAttribute("d").match(/[ML][\d.]+/g);
    if (now && points[ply]) now.setAttribute("d", now.getAttribute("d").replace(/M[\d.]+/, `M${points[ply].slice(1)}`));
    const again = focused && at.querySelector(`[aria-label="${focused}"]`);
    if (again) again.focus();
    history.replaceState(null, "", to);
    begin();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const at = document.getElementById("at");
    const home = at && at.dataset.steps.replace(".steps", "");
    const to = at && link && new URL(link.getAttribute("href"), location);
    if (!to || to.pathname !== home) return;
    if (!isPlain(event)) return;
    event.preventDefault();
    step(to);
  });
  document.addEventListener("visibilitychange", look);

  // Who wants no question plays with the choice itself, where it was made on the page before.
  const move = document.querySelector("#move[data-at-once]");
  const chosen = sessionStorage.getItem("chosen");
  sessionStorage.removeItem("chosen");
  if (move && chosen === location.pathname) move.requestSubmit();
  const isPlain = (event) => !(event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".board a, .act a");
    if (link && isPlain(event)) sessionStorage.setItem("chosen", location.pathname);
  });

  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  const middle = (link) => {
    const at = link.querySelector(".a").getBoundingClientRect();
    return [at.x + at.width / 2, at.y + at.height / 2];
  };

  const focus = (link) => {
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  };

  // The nearest link in a direction: what lies ahead counts once, what lies aside twice.
  const beside = (from, dx, dy) => {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const link of links) {
      const [u, v] = middle(link);
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy - (v - y) * dx);
      if (link !== from && ahead > 4 && aside < 2 * ahead && ahead + 2 * aside < least) {
        best = link;
        least = ahead + 2 * aside;
      }
    }
    return best;
  };

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  // The form of a new game has the fields of the game that is chosen.
  document.addEventListener("change", async (event) => {
    const game = event.target.closest("select[data-fields]");
    if (!game) return;
    const body = new URLSearchParams(new FormData(game.form));
    body.set("act", "fields");
    const answer = await fetch("/me", { method: "POST", body }).catch(() => null);
    if (!answer || !answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("new").replaceWith(page.getElementById("new"));
    tellZone();
    document.querySelector("select[data-fields]").focus();
  });

  // A second click on a button does nothing.
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button) setTimeout(() => (button.disabled = true));
  });

  // From link to link where something can be chosen, else from ply to ply.
  const arrow = (key) => {
    const on = links.includes(document.activeElement);
    // Up and down scroll the page until the board has the focus.
    if (!on && arrows[key][0] === 0) return null;
    if (links.length > 0) {
      const next = on ? beside(document.activeElement, ...arrows[key]) : links[0];
      if (next) focus(next);
      return on || next;
    }
    const ply = { ArrowLeft: "prev", ArrowRight: "next" }[key];
    const link = ply && document.querySelector(`a[rel=${ply}]`);
    if (link) link.click();
    return link;
  };

  // The name of a space, letter by letter: `d`, `8` leads to d8.
  let typed = "";
  const letter = (key) => {
    typed = /[a-z]/.test(key) ? key : typed + key;
    const leads = new RegExp(`[=.-]${typed}$`);
    const link = links.find((link) => leads.test(link.getAttribute("href").toLowerCase()));
    if (link) focus(link);
    return link;
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, pre, summary")) return;
    const key = event.key;
    let done = null;
    if (key in arrows) done = arrow(key);
    else if (key === "Escape") {
      done = document.querySelector("a[data-back]");
      if (done) done.click();
    } else if (/^[a-z0-9]$/i.test(key)) done = letter(key.toLowerCase());
    if (done) event.preventDefault();
  });
})();
