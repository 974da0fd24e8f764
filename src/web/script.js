// Keys, news and steps. Every page works without them, by its links.
"use strict";
(() => {
  let links = [];
  const read = (text) => new DOMParser().parseFromString(text, "text/html");

  const begin = () => {
    // A player who has set no zone has that of the browser.
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    document.querySelectorAll("[data-zone]").forEach((field) => (field.value = timeZone));
    // Browsers without push have no button for it.
    document.querySelectorAll("[data-push]").forEach((row) => (row.hidden = !("PushManager" in window)));
    links = [...document.querySelectorAll(".board svg a")];
    // The latest of a long list is seen at once.
    const now = document.querySelector("ol.moves [aria-current]");
    if (now) {
      const list = now.closest("ol");
      list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    const said = document.querySelector("ol.said");
    if (said) said.scrollTop = said.scrollHeight;
  };
  begin();

  // A page that is seen shows what happens meanwhile, and keeps what is being written.
  const renew = async () => {
    const main = document.querySelector("main[data-live]");
    if (!main || document.hidden || location.search.includes("ply=")) return;
    const answer = await fetch(location.href, { headers: { "X-Look": "1" } }).catch(() => null);
    // The page of a seat that was given away has status 410.
    if (!answer?.ok && answer?.status !== 410) return;
    const page = read(await answer.text());
    const fresh = page.querySelector("main");
    if (fresh.dataset.live === main.dataset.live) return;
    document.title = page.title;
    document.getElementById("news").textContent = page.title;
    // On a page with other forms, only its part `#live` is replaced.
    const [live, its] = [main, fresh].map((one) => one.querySelector("#live") || one);
    const name = (one) => one.id || one.ariaLabel || one.textContent;
    const focused = name(document.activeElement);
    const place = (field) => its.querySelector(`#${field.id}`);
    const fields = [...live.querySelectorAll("textarea, input[id]")];
    const written = fields.filter((field) => field.value && (place(field) || field.matches("textarea")));
    // The old page stays if the new one has no field for words that are written; the title has said what happened.
    if (!written.every(place)) {
      delete main.dataset.live;
      return;
    }
    for (const field of written) {
      place(field).value = field.value;
      const details = place(field).closest("details");
      if (details) details.open = true;
    }
    live.replaceWith(its);
    if (fresh.dataset.live) main.dataset.live = fresh.dataset.live;
    else delete main.dataset.live;
    [...its.querySelectorAll("a, button, textarea, input, summary")].find((one) => name(one) === focused)?.focus({ preventScroll: true });
    history.replaceState(null, "", answer.url);
    begin();
  };
  let last = Promise.resolve();
  const look = () => (last = last.then(renew, renew));

  // The server says at once when something happens. Without its stream, the page asks now and then.
  let news = null;
  const listen = () => {
    const main = document.querySelector("main[data-news]");
    const ends = document.hidden || !main?.dataset.live;
    if (news && (ends || news.readyState === EventSource.CLOSED)) {
      news.close();
      news = null;
    }
    if (ends || news) return;
    news = new EventSource(main.dataset.news);
    news.onmessage = (event) => {
      if (event.data !== document.querySelector("main").dataset.live) look();
    };
  };
  listen();
  setInterval(() => {
    if (news?.readyState !== EventSource.OPEN) look();
    listen();
  }, 20000);

  // Makes the pages of all positions. Each comes as changes to the page before it: how many parts are kept, how many are
  // then dropped, and the text in their place. A part ends with a tag or a line.
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

  // The first step loads all positions of a board. A position replaces what has its ids. The last position brings back
  // what the page had, such as a move in hand.
  let steps = null;
  const step = async (to) => {
    const home = document.querySelector("[data-steps]");
    const of = home.closest("main").dataset.live + home.dataset.steps;
    const parts = () => [...document.querySelectorAll("#at, #told, #steps")];
    const query = new URLSearchParams(location.search);
    if (!steps || steps.of !== of) {
      const all = fetch(home.dataset.steps).then((answer) => (answer.ok ? answer.json() : [])).then(unfold).catch(() => []);
      steps = { of, all, kept: query.has("ply") ? null : parts() };
    }
    const all = await steps.all;
    const links = [...document.querySelectorAll("ol.moves a")];
    const ply = Number(to.searchParams.get("ply") ?? links.length);
    query.delete("ply");
    query.delete("done");
    if (ply < links.length) query.set("ply", ply);
    const here = location.pathname + `?${query}`.replace(/=(?=&|$)|\?$/g, "");
    const kept = ply === links.length && steps.kept;
    if (!all[ply] || (!kept && home.dataset.below && ply === links.length)) return location.assign(here);
    const focused = document.activeElement.getAttribute("aria-label");
    const { open } = document.querySelector("#at details");
    const fresh = kept || [...read(all[ply]).body.children];
    for (const part of parts()) part.replaceWith(fresh.find((one) => one.id === part.id));
    document.querySelector("#at details").open = open;
    const [board, [above, below]] = [document.querySelector("#at .board"), document.querySelectorAll("#at .strip")];
    // A player's own page says who is below.
    if (home.dataset.below && above.querySelector(`a[href$="/${home.dataset.below}"]`)) {
      board.before(below);
      board.after(above);
    }
    const mark = (link, is) => (link.ariaCurrent = is ? "true" : null);
    links.forEach((link, number) => mark(link, number + 1 === ply));
    for (const turn of document.querySelectorAll(".turns a")) mark(turn, turn.href.endsWith(`ply=${ply}`));
    const now = document.querySelector(".graph .now");
    const points = document.querySelector(".graph .line")?.getAttribute("d").match(/[ML][\d.]+/g);
    if (points?.[ply]) now.setAttribute("d", now.getAttribute("d").replace(/M[\d.]+/, `M${points[ply].slice(1)}`));
    document.querySelector(`.play [aria-label="${focused}"]`)?.focus();
    history.replaceState(null, "", here);
    begin();
    // What happened during a look back is shown after it.
    if (kept) look();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const home = document.querySelector("[data-steps]");
    if (!home || !link || link.closest(".tools") || !isPlain(event)) return;
    const to = new URL(link.getAttribute("href"), location);
    const isBoards = to.pathname === home.dataset.steps.split(".steps")[0];
    const isStep = to.searchParams.has("ply") ? isBoards || to.pathname === location.pathname : isBoards && (!home.dataset.below || steps?.kept);
    if (!isStep || to.hash) return;
    event.preventDefault();
    step(to);
  });
  document.addEventListener("visibilitychange", () => {
    look();
    listen();
  });

  // A player who has turned `confirm` off plays with the choice itself, if it was made on the page before. After a choice
  // by keys, the focus is on what comes next.
  const isPlain = (event) => !(event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
  const move = document.querySelector("#move");
  const [chosen, keyed] = (sessionStorage.getItem("chosen") || "").split(" ");
  sessionStorage.removeItem("chosen");
  if (chosen === location.pathname) {
    const next = document.querySelector("#move [autofocus]") || links.find((link) => link.querySelector(".d"));
    if (move && "atOnce" in move.dataset) move.requestSubmit();
    else if (keyed) next?.focus({ preventScroll: true });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".board a, .act a");
    if (link && isPlain(event)) sessionStorage.setItem("chosen", `${location.pathname} ${event.detail ? "" : "keyed"}`);
  });

  const middle = (link) => {
    const at = link.querySelector(".a").getBoundingClientRect();
    return [at.x + at.width / 2, at.y + at.height / 2];
  };

  // The nearest link in a direction. The distance to the side counts twice.
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
    if (!answer?.ok) return;
    const page = read(await answer.text());
    document.getElementById("new").replaceWith(page.getElementById("new"));
    begin();
    document.querySelector("select[data-fields]").focus();
  });

  // A second click on a button does nothing.
  document.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (submitter) setTimeout(() => (submitter.disabled = true));
  });

  // The browser asks its player, and its push service says where it takes pushes.
  const subscribed = async (key) => {
    if ((await Notification.requestPermission()) !== "granted") return null;
    await navigator.serviceWorker.register("/sw.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    // The one before can be for a key of another server.
    await (await pushManager.getSubscription())?.unsubscribe();
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
    return `${endpoint} ${keys.p256dh} ${keys.auth}`;
  };
  document.addEventListener("submit", async (event) => {
    const row = event.target.closest("[data-push]");
    if (!row) return;
    event.preventDefault();
    const push = await subscribed(row.dataset.push).catch(() => null);
    if (!push) return (event.submitter.textContent = "This browser does not allow it");
    event.target.elements.push.value = push;
    event.target.submit();
  });

  // From link to link once the board has the focus, else from move to move.
  const arrow = (key) => {
    if (links.includes(document.activeElement)) {
      const next = beside(document.activeElement, ...arrows[key]);
      if (next) next.focus();
      return true;
    }
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[key];
    const step = rel && document.querySelector(`a[rel=${rel}]`);
    if (step) step.click();
    // Up and down scroll the page.
    else if (rel && links.length) links[0].focus();
    return rel && (step || links.length);
  };

  // The name of a space, letter by letter: `d`, `8` leads to d8.
  let typed = "";
  const letter = (key) => {
    typed = /[a-z]/.test(key) ? key : typed + key;
    const leads = new RegExp(`[=.-]${typed}$`);
    const ends = (leads) => (link) => leads.test(link.getAttribute("href").toLowerCase());
    // Of the pieces that a pawn can become, the letter is the last of the link.
    const offered = links.filter((link) => link.querySelector(".of"));
    const link = links.find(ends(leads)) || offered.find(ends(new RegExp(`${key}$`)));
    if (link) link.focus();
    return link;
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, pre, summary")) return;
    const { key } = event;
    let done = null;
    if (key in arrows) done = arrow(key);
    else if (key === "Escape") {
      done = document.querySelector("a[data-back]");
      done?.click();
    } else if (/^[a-z0-9]$/i.test(key)) done = letter(key.toLowerCase());
    if (done) event.preventDefault();
  });
})();
