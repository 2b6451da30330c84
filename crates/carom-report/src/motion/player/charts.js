// Two charts over one axis of time: events by kind, and the ledger of energy.

const KINDS = {
  impact: "impacts", limit: "joint limits", jam: "jams", accumulation: "accumulations", slip: "slip begins",
  stick: "stick begins", separation: "separations", rest: "rest", feature: "other feature",
};
const LANES = Object.keys(KINDS).filter((kind) => DATA.events.some((event) => event.kind === kind));
const LANE = 20;
const LEFT = 112;
const RIGHT = 118;
const HUE_OF_KIND = {
  impact: "red", limit: "purple", jam: "ink", accumulation: "blue", slip: "amber", stick: "green", separation: "sky",
  rest: "ink", feature: "muted",
};

// The part of the motion that both charts show.
const span = { from: 0, to: END };

function across(t, width) {
  return LEFT + (width - LEFT - RIGHT) * (t - span.from) / Math.max(span.to - span.from, 1e-300);
}

function timeAt(x, width) {
  const part = (x - LEFT) / Math.max(1, width - LEFT - RIGHT);
  return Math.min(END, Math.max(0, span.from + part * (span.to - span.from)));
}

// Another part of the motion, `factor` times as long, that keeps a time where it is.
function zoomTime(factor, around) {
  const shortest = Math.max(1e-12 * END, 1e-12);
  const long = Math.min(END, Math.max(shortest, (span.to - span.from) * factor));
  const part = (around - span.from) / Math.max(span.to - span.from, 1e-300);
  const inside = Math.min(1, Math.max(0, part));
  span.from = Math.min(Math.max(0, around - inside * long), END - long);
  span.to = span.from + long;
}

// Moves the part that is shown so that a time is in it.
function follow(t) {
  const long = span.to - span.from;
  if (t >= span.from && t <= span.to) return;
  span.from = Math.min(Math.max(0, t - 0.3 * long), END - long);
  span.to = span.from + long;
}

// A sign for each kind, told apart by its shape.
function sign(pen, kind, x, y) {
  const r = 5;
  pen.fillStyle = pen.strokeStyle = colours[HUE_OF_KIND[kind]];
  pen.lineWidth = 1.6;
  pen.beginPath();
  const polygon = (...points) => {
    points.forEach(([a, b], i) => (i ? pen.lineTo(x + a * r, y + b * r) : pen.moveTo(x + a * r, y + b * r)));
    pen.closePath();
  };
  switch (kind) {
    case "impact": polygon([-1, -0.9], [1, -0.9], [0, 1]); pen.fill(); break;
    case "limit": pen.rect(x - 4, y - 4, 8, 8); pen.fill(); break;
    case "jam": path(pen, [[x - 4, y - 4], [x + 4, y + 4]]); pen.stroke(); path(pen, [[x - 4, y + 4], [x + 4, y - 4]]); pen.stroke(); break;
    case "accumulation": polygon([-1, -1], [1, -1], [-1, 1], [1, 1]); pen.fill(); break;
    case "slip": path(pen, [[x - 5, y], [x + 5, y], [x + 1, y - 4]]); pen.stroke(); path(pen, [[x + 5, y], [x + 1, y + 4]]); pen.stroke(); break;
    case "stick": pen.arc(x, y, 4, 0, 2 * Math.PI); pen.fill(); break;
    case "separation": polygon([-1, 0.9], [1, 0.9], [0, -1]); pen.stroke(); break;
    case "rest": polygon([-1, 0], [0, -1], [1, 0], [0, 1]); pen.fill(); break;
    default: pen.arc(x, y, 3.5, 0, 2 * Math.PI); pen.stroke();
  }
}

// Numbers along the time axis.
function drawTimes(pen, width, y, top) {
  const long = span.to - span.from;
  if (!(long > 0)) return;
  const step = round(long / Math.max(2, (width - LEFT - RIGHT) / 90));
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step))));
  pen.textAlign = "center";
  for (let k = Math.ceil(span.from / step - 1e-9); k * step <= span.to + 1e-9 * step; k++) {
    const x = across(k * step, width);
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    path(pen, [[x, top], [x, y - 12]]);
    pen.stroke();
    pen.fillStyle = colours.muted;
    pen.fillText((k * step).toFixed(digits), x, y);
  }
  pen.textAlign = "left";
  pen.fillText("t [s]", width - RIGHT + 30, y);
}

function drawCursor(pen, width, height, time) {
  const x = across(time, width);
  if (x < LEFT - 1 || x > width - RIGHT + 1) return;
  path(pen, [[x, 0], [x, height - 14]]);
  pen.lineWidth = 2;
  pen.strokeStyle = colours.ink;
  pen.stroke();
}

function drawTimeline(canvas, time, selected) {
  canvas.style.height = `${Math.max(1, LANES.length) * LANE + 26}px`;
  const { pen, width, height } = begin(canvas);
  drawTimes(pen, width, height - 4, 0);
  LANES.forEach((kind, lane) => {
    const y = (lane + 0.5) * LANE + 2;
    sign(pen, kind, 10, y);
    pen.fillStyle = colours.ink;
    pen.fillText(KINDS[kind], 22, y + 4);
    path(pen, [[LEFT, y], [width - RIGHT, y]]);
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.stroke();
    let last = -Infinity;
    let count = 0;
    DATA.events.forEach((event) => {
      if (event.kind !== kind) return;
      count++;
      const x = across(event.t, width);
      if (x < LEFT - 6 || x > width - RIGHT + 6 || x - last < 0.5) return;
      last = x;
      sign(pen, kind, x, y);
    });
    pen.fillStyle = colours.muted;
    pen.fillText(`${count}`, width - RIGHT + 14, y + 4);
  });
  if (LANES.length === 0) {
    pen.fillStyle = colours.muted;
    pen.fillText("no events", LEFT, 16);
  }
  if (selected >= 0) {
    const event = DATA.events[selected];
    const [x, y] = [across(event.t, width), (LANES.indexOf(event.kind) + 0.5) * LANE + 2];
    pen.beginPath();
    pen.arc(x, y, 9, 0, 2 * Math.PI);
    pen.lineWidth = 2;
    pen.strokeStyle = colours.ink;
    pen.stroke();
  }
  drawCursor(pen, width, height, time);
}

// The event nearest to a place on the timeline, or −1.
function eventNear(x, y, width) {
  const kind = LANES[Math.floor((y - 2) / LANE)];
  let best = -1;
  let nearest = 9;
  DATA.events.forEach((event, k) => {
    const away = Math.abs(across(event.t, width) - x);
    if (event.kind === kind && away < nearest) {
      nearest = away;
      best = k;
    }
  });
  return best;
}

// Energy of gravity has no zero of its own: it is drawn from its least.
const LEAST = (() => {
  let least = Infinity;
  for (let k = 0; k < COUNT; k++) least = Math.min(least, ENERGY[3 * k + 1]);
  return Number.isFinite(least) ? least : 0;
})();

// What is not told from rounding.
const NOTHING = 1e-11 * ENERGY.reduce((m, e, i) => Math.max(m, Math.abs(i % 3 === 1 ? e - LEAST : e)), 0);

const WORK_NAMES = ["impacts", "friction", "dampers", "forces", "drives"];
// What the ledger has: a name, how it is drawn, its value at a sample.
const CURVES = [
  { name: "kinetic", hue: "blue", dash: [], wide: 1.6, of: (k) => ENERGY[3 * k] },
  { name: "of gravity", hue: "green", dash: [7, 4], wide: 1.6, of: (k) => ENERGY[3 * k + 1] - LEAST },
  { name: "of springs", hue: "purple", dash: [7, 3, 1, 3], wide: 1.6, of: (k) => ENERGY[3 * k + 2] },
  { name: "total", hue: "ink", dash: [], wide: 2.4, of: (k) => ENERGY[3 * k] + ENERGY[3 * k + 1] - LEAST + ENERGY[3 * k + 2] },
  ...WORK_NAMES.map((name, j) => ({
    name: `by ${name}`, hue: ["red", "amber", "sky", "muted", "purple"][j], dash: [[2, 4], [4, 3], [8, 3, 2, 3], [1, 3], [10, 3]][j],
    wide: 1.6, of: (k) => WORKS[5 * k + j],
  })),
].filter((curve) => {
  if (curve.name === "total") return true;
  for (let k = 0; k < COUNT; k++) if (Math.abs(curve.of(k)) > NOTHING) return true;
  return false;
});

function drawEnergy(canvas, time) {
  const { pen, width, height } = begin(canvas);
  const bottom = height - 18;
  const top = 8;
  const from = sampleAt(span.from);
  const to = Math.min(COUNT - 1, sampleAt(span.to) + 1);
  let [low, high] = [Infinity, -Infinity];
  for (const curve of CURVES) {
    for (let k = from; k <= to; k++) {
      low = Math.min(low, curve.of(k));
      high = Math.max(high, curve.of(k));
    }
  }
  if (!(high > low)) [low, high] = [low - 1, low + 1];
  const margin = 0.05 * (high - low);
  [low, high] = [low - margin, high + margin];
  const up = (e) => bottom - (bottom - top) * (e - low) / (high - low);
  const step = round((high - low) / 5);
  for (let k = Math.ceil(low / step); k * step <= high; k++) {
    path(pen, [[LEFT, up(k * step)], [width - RIGHT, up(k * step)]]);
    pen.lineWidth = 1;
    pen.strokeStyle = k === 0 ? colours.muted : colours.line;
    pen.stroke();
    pen.fillStyle = colours.muted;
    pen.textAlign = "right";
    pen.fillText(short(k * step), LEFT - 6, up(k * step) + 4);
    pen.textAlign = "left";
  }
  pen.fillStyle = colours.ink;
  pen.fillText("energy [J]", 4, 14);
  drawTimes(pen, width, height - 2, top);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, 0, width - LEFT - RIGHT, height);
  pen.clip();
  for (const curve of CURVES) {
    pen.beginPath();
    for (let k = from; k <= to; k++) {
      const [x, y] = [across(TIMES[k], width), up(curve.of(k))];
      k > from ? pen.lineTo(x, y) : pen.moveTo(x, y);
    }
    pen.setLineDash(curve.dash);
    pen.lineWidth = curve.wide;
    pen.strokeStyle = colours[curve.hue];
    pen.stroke();
  }
  pen.restore();
  // Names at the right end, moved apart.
  const labels = CURVES.map((curve) => ({ curve, y: up(curve.of(to)) })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < labels.length; i++) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + 13);
  const over = labels[labels.length - 1].y - (bottom - 2);
  if (over > 0) labels.forEach((label) => { label.y -= over; });
  for (let i = labels.length - 2; i >= 0; i--) labels[i].y = Math.min(labels[i].y, labels[i + 1].y - 13);
  for (const { curve, y } of labels) {
    path(pen, [[width - RIGHT + 4, y], [width - RIGHT + 24, y]]);
    pen.setLineDash(curve.dash);
    pen.lineWidth = curve.wide;
    pen.strokeStyle = colours[curve.hue];
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colours.ink;
    pen.fillText(curve.name, width - RIGHT + 30, y + 4);
  }
  drawCursor(pen, width, height, time);
}
