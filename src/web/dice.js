// Proposes a word for the dice, and computes the rolls of a pasted record again as docs/dice.md says.
"use strict";
(() => {
  const octets = (hex) => Uint8Array.from(hex.match(/../g), (two) => parseInt(two, 16));
  const hex = (buffer) => [...new Uint8Array(buffer)].map((octet) => octet.toString(16).padStart(2, "0")).join("");

  const roll = async (key, board, n, words, count) => {
    const limit = 2 ** 32 - (2 ** 32 % 6);
    const dice = [];
    for (let block = 0; dice.length < count; block++) {
      const text = `turnpost roll 1\n${board}\n${n}\n${block}\n${words.join("\n")}\n`;
      const view = new DataView(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
      for (let at = 0; at < 32 && dice.length < count; at += 4)
        if (view.getUint32(at) < limit) dice.push((view.getUint32(at) % 6) + 1);
    }
    return dice.join("-");
  };

  const check = async (record) => {
    const board = record.match(/^board: (?:.*record of a board )?(\d+)/m)?.[1];
    if (!board) return "This is no record: its line with the number of the board is missing.";
    let [told, words, bound, n, checked, rolls] = ["", ["", ""], false, 0, 0, []];
    for (const line of record.replace(/\r/g, "").replace(/\n /g, "").split("\n")) {
      const [, seat, kind, text] = line.match(/^\* dice (\w+) .*"(\w+) (.*)"$/) || [];
      const cast = line.match(/^\d+\. (\d(?:-\d)*) /)?.[1];
      if (cast) rolls.push([++n, cast]);
      else if (kind === "hash") [told, bound, rolls] = [text, false, []];
      else if (kind === "salt" && !bound) [words[seat === "second" ? 1 : 0], bound] = [text, true];
      else if (kind === "secret") {
        if (!/^([0-9a-f]{2})+$/.test(text) || hex(await crypto.subtle.digest("SHA-256", octets(text))) !== told)
          return "Forged: the secret is not the one whose hash was told.";
        const key = await crypto.subtle.importKey("raw", octets(text), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
        for (const [number, fell] of rolls)
          if ((await roll(key, board, number, words, fell.split("-").length)) !== fell)
            return `Forged: roll ${number} does not follow from the secret.`;
        [checked, rolls] = [checked + rolls.length, []];
      }
    }
    return checked === n ? `All ${n} rolls follow from the secret.` : `${checked} of ${n} rolls follow from secrets. The record tells no secret for the others.`;
  };

  for (const field of document.querySelectorAll("[data-random]"))
    field.value ||= [...crypto.getRandomValues(new Uint8Array(16))].map((octet) => octet % 10).join("");
  const part = document.getElementById("check");
  if (!part) return;
  const [field, verdict] = [part.querySelector("textarea"), part.querySelector("output")];
  part.hidden = false;
  field.addEventListener("input", async () => {
    const record = field.value;
    // Browsers compute hashes only on pages that come by https.
    const says = crypto.subtle ? await check(record) : "Your browser computes hashes only on a page with https.";
    if (field.value === record) verdict.value = record && says;
  });
})();
