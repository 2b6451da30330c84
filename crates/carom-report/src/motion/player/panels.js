// Words and numbers beside the picture: the clock, the ledger at the cursor, the events, one event in detail.

const element = (id) => document.getElementById(id);

// Digits of the clock: enough to see it move at this speed.
function clockDigits(speed) {
  return Math.max(3, Math.min(12, 3 - Math.floor(Math.log10(Math.max(speed, 1e-9)) + 1e-9)));
}

function showClock(view) {
  element("clock").textContent = `t = ${view.time.toFixed(clockDigits(view.speed))} s`;
  const timeline = element("timeline");
  timeline.setAttribute("aria-valuenow", view.time.toPrecision(9));
  timeline.setAttribute("aria-valuetext", `${short(view.time, 6)} seconds`);
}

function showLedger(view) {
  const { energy, works } = energiesAt(view.time);
  const start = ENERGY[0] + ENERGY[1] + ENERGY[2];
  const total = energy[0] + energy[1] + energy[2];
  const rows = [["at t = 0", start]];
  works.forEach((work, j) => {
    if (CURVES.some((curve) => curve.name === `by ${WORK_NAMES[j]}`)) rows.push([`by ${WORK_NAMES[j]}`, work]);
  });
  const booked = rows.reduce((sum, row) => sum + row[1], 0);
  rows.push(["total now", total]);
  rows.push(["not accounted for", total - booked]);
  const sign = (x) => (x > 0 ? "+" : "");
  const cells = rows.map(([name, x], i) => {
    const digits = i === rows.length - 1 ? 2 : 6;
    return `<dt>${name}</dt><dd>${i > 0 && i < rows.length - 2 ? sign(x) : ""}${short(x, digits)} J</dd>`;
  });
  element("ledger").innerHTML = cells.join("");
}

function between(contact) {
  if (contact.joint !== undefined) return `joint ${contact.joint}`;
  return `${nameOf(contact.a)} – ${nameOf(contact.b)}`;
}

function places(event) {
  const counts = new Map();
  for (const contact of event.contacts) {
    const name = between(contact);
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  return [...counts].map(([name, n]) => (n > 1 ? `${name} (${n} points)` : name)).join(", ");
}

// So many rows of the list at once: those about the present.
const ROWS = 200;
let listed = -1;

function listEvents(now) {
  const from = Math.max(0, Math.min(now - ROWS / 2, DATA.events.length - ROWS));
  if (listed === from) return;
  listed = from;
  const body = element("event-list");
  body.textContent = "";
  DATA.events.slice(from, from + ROWS).forEach((event, i) => {
    const k = from + i;
    const row = document.createElement("tr");
    row.dataset.event = k;
    const cell = (text, kind) => {
      const made = document.createElement("td");
      made.textContent = text;
      if (kind) made.className = kind;
      row.append(made);
      return made;
    };
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = event.t.toPrecision(7).replace(/^(-?\d+\.\d*?)0+$/, "$1");
    button.setAttribute("aria-label", `${event.kind} at ${short(event.t, 7)} seconds`);
    cell("").append(button);
    cell(event.kind, "word");
    cell(places(event), "word");
    cell(event.energy === undefined ? "" : short(event.energy, 4));
    const bad = event.verdict && event.verdict.startsWith("violates");
    cell(event.verdict ? `${bad ? "✗" : "✓"} ${event.verdict}` : "", bad ? "word bad" : "word");
    cell(event.detail === undefined ? "" : "yes", "word");
    body.append(row);
  });
  const more = DATA.event_count - DATA.events.length;
  const parts = [];
  if (DATA.events.length > ROWS) parts.push(`Rows ${from + 1} to ${Math.min(from + ROWS, DATA.events.length)} of ${DATA.events.length}; the list follows the player.`);
  if (more > 0) parts.push(`${more} later events are not in this page: carom simulate ${DATA.file} --json has them.`);
  element("event-note").textContent = parts.join(" ");
}

function markRow(now, selected) {
  for (const row of element("event-list").children) {
    const k = Number(row.dataset.event);
    if (k === selected) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    row.classList.toggle("past", k <= now);
  }
}

// One event in words, and, of some impacts, all that the page knows.
function showEvent(k) {
  const event = DATA.events[k];
  const box = element("event-detail");
  box.textContent = "";
  const line = (text) => {
    const p = document.createElement("p");
    p.textContent = text;
    box.append(p);
  };
  const head = document.createElement("h3");
  head.textContent = `${event.kind} at t = ${event.t.toPrecision(10)} s`;
  box.append(head);
  if (event.contacts.length > 0) line(places(event));
  for (const contact of event.contacts.slice(0, 12)) {
    if (!contact.impulse || Math.hypot(...contact.impulse) === 0) continue;
    const p = contact.impulse.map((x) => short(x, 6)).join(", ");
    line(`impulse on ${nameOf(contact.b)}: (${p}) N·s, ${short(Math.hypot(...contact.impulse), 6)} N·s in all`);
  }
  if (event.energy !== undefined) line(`energy of the relative motion: ${event.energy > 0 ? "+" : ""}${short(event.energy, 6)} J`);
  if (event.verdict) line(`verdict: ${event.verdict}`);
  if (event.accumulation) {
    const { impacts, ratio, error } = event.accumulation;
    const steady = ratio > 0 ? `each flight ${short(ratio, 6)} times as long as the one before; ` : "";
    line(`infinitely many impacts end here; ${impacts} were followed one by one; ${steady}the time is certain to ${short(error, 2)} s`);
  }
  if (event.detail !== undefined) {
    const detail = document.createElement("div");
    detail.innerHTML = DATA.details[event.detail];
    box.append(detail);
  } else if (event.kind === "impact") {
    line(`Its certificate and other laws are not in this page, which has those of the impacts that change energy most: carom compare ${DATA.file} --at ${event.t}`);
  }
}
