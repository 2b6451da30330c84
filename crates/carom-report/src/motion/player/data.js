// What the page was given, and states at any time.

const DATA = JSON.parse(document.getElementById("motion").textContent);
const FLAT = DATA.dimension === 2;
const AXES = DATA.dimension;
const POSE = FLAT ? 3 : 7;
const RATE = FLAT ? 3 : 6;

function decoded(text, Kind) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Kind(bytes.buffer);
}

const TIMES = decoded(DATA.samples.t, Float64Array);
const POSES = decoded(DATA.samples.pose, Float32Array);
const RATES = decoded(DATA.samples.rate, Float32Array);
const ENERGY = decoded(DATA.samples.energy, Float64Array);
const WORKS = decoded(DATA.samples.works, Float64Array);
const CONTACT_STARTS = decoded(DATA.samples.contact_starts, Uint32Array);
const CONTACT_PAIRS = decoded(DATA.samples.contact_pairs, Uint32Array);
const CONTACTS = decoded(DATA.samples.contacts, Float32Array);
const COUNT = TIMES.length;
const END = COUNT > 0 ? TIMES[COUNT - 1] : 0;

// Where each body stands among those that move; −1 for the others.
const PLACE = [];
let movers = 0;
for (const body of DATA.bodies) PLACE.push(body.moves ? movers++ : -1);

// The last sample that is not later.
function sampleAt(t) {
  let low = 0;
  let high = COUNT - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (TIMES[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The event that is the last one not later than t; −1 before the first.
function eventAt(t) {
  let low = 0;
  let high = DATA.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (DATA.events[middle].t <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// A cubic that has two values and two slopes at its ends, h apart, at the part s of the way.
function cubic(a, slopeA, b, slopeB, h, s) {
  const r = 1 - s;
  return r * r * (1 + 2 * s) * a + s * r * r * h * slopeA + s * s * (3 - 2 * s) * b - s * s * r * h * slopeB;
}

// Places and rotations of all bodies at a time: {at: [x, y, z], turn: rows of a matrix}.
function bodiesAt(t) {
  const k = sampleAt(t);
  const next = Math.min(k + 1, COUNT - 1);
  const h = TIMES[next] - TIMES[k];
  const s = h > 0 ? Math.min(1, Math.max(0, (t - TIMES[k]) / h)) : 0;
  return DATA.bodies.map((body, i) => {
    if (PLACE[i] < 0) return posed(body.pose);
    const a = (k * movers + PLACE[i]) * POSE;
    const b = (next * movers + PLACE[i]) * POSE;
    const u = (k * movers + PLACE[i]) * RATE;
    const v = (next * movers + PLACE[i]) * RATE;
    const pose = [];
    for (let j = 0; j < 3; j++) {
      pose.push(cubic(POSES[a + j], RATES[u + j], POSES[b + j], RATES[v + j], h, s));
    }
    if (!FLAT) {
      // A quaternion and its negative are one orientation.
      let along = 0;
      for (let j = 3; j < 7; j++) along += POSES[a + j] * POSES[b + j];
      const sign = along < 0 ? -1 : 1;
      for (let j = 3; j < 7; j++) pose.push((1 - s) * POSES[a + j] + sign * s * POSES[b + j]);
    }
    return posed(pose);
  });
}

function posed(pose) {
  if (FLAT) {
    const c = Math.cos(pose[2]);
    const s = Math.sin(pose[2]);
    return { at: [pose[0], pose[1], 0], turn: [[c, -s, 0], [s, c, 0], [0, 0, 1]] };
  }
  let [w, x, y, z] = pose.slice(3);
  const length = Math.hypot(w, x, y, z) || 1;
  w /= length; x /= length; y /= length; z /= length;
  return {
    at: pose.slice(0, 3),
    turn: [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ],
  };
}

// A point of a body's frame in the world's.
function placed(pose, p) {
  const [x, y, z] = [p[0], p[1], p[2] || 0];
  return pose.turn.map((row, i) => pose.at[i] + row[0] * x + row[1] * y + row[2] * z);
}

// Contacts that last at a time: {pair, slides, point, force}.
function contactsAt(t) {
  const k = sampleAt(t);
  const found = [];
  for (let c = CONTACT_STARTS[k]; c < CONTACT_STARTS[k + 1]; c++) {
    const at = c * 2 * AXES;
    found.push({
      pair: DATA.samples.pairs[CONTACT_PAIRS[c] >> 1],
      slides: (CONTACT_PAIRS[c] & 1) === 1,
      point: spread(CONTACTS.subarray(at, at + AXES)),
      force: spread(CONTACTS.subarray(at + AXES, at + 2 * AXES)),
    });
  }
  return found;
}

function spread(numbers) {
  return [numbers[0], numbers[1], numbers[2] || 0];
}

// Kinetic, of gravity, of springs; then works: impacts, friction, damping, forces, drives.
function energiesAt(t) {
  const k = sampleAt(t);
  const next = Math.min(k + 1, COUNT - 1);
  const h = TIMES[next] - TIMES[k];
  const s = h > 0 ? Math.min(1, Math.max(0, (t - TIMES[k]) / h)) : 0;
  const between = (array, width) => {
    const numbers = [];
    for (let j = 0; j < width; j++) {
      numbers.push((1 - s) * array[k * width + j] + s * array[next * width + j]);
    }
    return numbers;
  };
  return { energy: between(ENERGY, 3), works: between(WORKS, 5) };
}

function nameOf(body) {
  return DATA.bodies[body] ? DATA.bodies[body].name : "?";
}

// Some digits, and a power of ten where there would be many zeros.
function short(x, digits = 4) {
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) {
    return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e").replace("-", "−").replace("e-", "e−");
  }
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

// A number of the form 1, 2 or 5 times a power of ten, not below x.
function round(x) {
  if (!(x > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((m) => m * power >= x * (1 - 1e-9));
}
