// Vectors, the camera, and which solid hides which.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => times(a, 1 / (size(a) || 1));

// How far a shape reaches from its body's origin; none for a half-space.
function reach(look) {
  const far = (points) => points.reduce((m, p) => Math.max(m, Math.hypot(...p)), 0);
  if (look.ball) return Math.hypot(...look.ball) + look.radius;
  if (look.outline) return far(look.outline);
  if (look.vertices) return far(look.vertices);
  if (look.corners) return far(look.corners);
  return null;
}

// The box in which everything happens: what moves, and what stands still nearby.
function surroundings() {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const include = (p, r) => {
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], p[i] - r);
      high[i] = Math.max(high[i], p[i] + r);
    }
  };
  const reaches = DATA.bodies.map((body) => Math.max(0, ...body.looks.map((look) => reach(look) || 0)));
  const stride = Math.max(1, Math.floor(COUNT / 400));
  for (let k = 0; k < COUNT; k += stride) {
    DATA.bodies.forEach((body, i) => {
      if (PLACE[i] < 0 || !(body.mass > 0)) return;
      const at = (k * movers + PLACE[i]) * POSE;
      include([POSES[at], POSES[at + 1], FLAT ? 0 : POSES[at + 2]], reaches[i]);
    });
  }
  for (const joint of DATA.joints) include(placed(posed(DATA.bodies[joint.a].pose), joint.at[0]), 0);
  if (low[0] > high[0]) include([0, 0, 0], 1);
  const extent = Math.max(size(sub(high, low)), 1e-6);
  DATA.bodies.forEach((body, i) => {
    const near = reaches[i] > 0 && reaches[i] < extent;
    if (body.mass > 0 || !near) return;
    include(body.pose.slice(0, AXES).concat(FLAT ? [0] : []), reaches[i]);
  });
  return { low, high };
}

const BOX = surroundings();
const MIDDLE = times(add(BOX.low, BOX.high), 0.5);
const EXTENT = Math.max(size(sub(BOX.high, BOX.low)), 1e-6);

// Upwards is against gravity; where there is none, along the last axis.
const UP = (() => {
  const g = spread(DATA.gravity);
  return !FLAT && size(g) > 0 ? unit(times(g, -1)) : [0, 0, 1];
})();
const ACROSS = unit(cross(Math.abs(UP[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], UP));
const ONWARDS = cross(UP, ACROSS);

// In the plane: {scale in pixels per metre}; in space: angles and a distance.
const camera = {};

function fitCamera(width, height) {
  camera.target = MIDDLE.slice();
  const wide = Math.max(BOX.high[0] - BOX.low[0], 1e-9);
  const high = Math.max(BOX.high[1] - BOX.low[1], 1e-9);
  camera.scale = 0.84 * Math.min(width / wide, height / high);
  camera.azimuth = -0.9;
  camera.elevation = 0.35;
  camera.distance = 1.05 * EXTENT;
}

// Prepares what projections need.
function aim(width, height) {
  camera.width = width;
  camera.height = height;
  const [ca, sa] = [Math.cos(camera.azimuth), Math.sin(camera.azimuth)];
  const [ce, se] = [Math.cos(camera.elevation), Math.sin(camera.elevation)];
  const out = add(add(times(ACROSS, ce * ca), times(ONWARDS, ce * sa)), times(UP, se));
  camera.eye = add(camera.target, times(out, camera.distance));
  camera.forward = times(out, -1);
  camera.right = unit(cross(camera.forward, UP));
  camera.above = cross(camera.right, camera.forward);
  camera.focal = 1.25 * Math.min(width, 1.5 * height);
}

// Where a point of the world is on the screen, and how far before the eye.
function project(p) {
  const d = sub(p, FLAT ? camera.target : camera.eye);
  if (FLAT) {
    return [0.5 * camera.width + camera.scale * d[0], 0.5 * camera.height - camera.scale * d[1], 1];
  }
  const depth = Math.max(dot(d, camera.forward), 1e-3 * camera.distance);
  const s = camera.focal / depth;
  return [0.5 * camera.width + s * dot(d, camera.right), 0.5 * camera.height - s * dot(d, camera.above), depth];
}

// Metres on the screen at a point, in pixels.
function pixels(p) {
  return FLAT ? camera.scale : camera.focal / project(p)[2];
}

// Whether one solid must be drawn before another: −1 for yes, 1 for after, 0 where nothing says so. Two convex solids
// have a plane between them; whichever is on the eye's side of it is in front.
function order(a, b) {
  const tolerance = 1e-6 * EXTENT;
  const outside = (plane, solid) => {
    if (solid.ball) return dot(plane.normal, solid.ball) - plane.offset - solid.radius >= -tolerance;
    return solid.points.every((p) => dot(plane.normal, p) - plane.offset >= -tolerance);
  };
  const before = (plane) => (dot(plane.normal, camera.eye) > plane.offset ? -1 : 1);
  for (const plane of a.planes) if (outside(plane, b)) return before(plane);
  for (const plane of b.planes) if (outside(plane, a)) return -before(plane);
  if (a.ball && b.ball) {
    const normal = unit(sub(b.ball, a.ball));
    return before({ normal, offset: dot(normal, a.ball) + a.radius });
  }
  return b.depth - a.depth > 0 ? 1 : -1;
}

// Solids from the farthest to the nearest.
function ordered(solids) {
  solids.sort((a, b) => b.depth - a.depth);
  if (solids.length > 80) return solids;
  const apart = (a, b) => a.rect[0] > b.rect[2] || b.rect[0] > a.rect[2] || a.rect[1] > b.rect[3] || b.rect[1] > a.rect[3];
  const waits = solids.map(() => new Set());
  for (let i = 0; i < solids.length; i++) {
    for (let j = i + 1; j < solids.length; j++) {
      if (apart(solids[i], solids[j])) continue;
      if (order(solids[i], solids[j]) < 0) waits[j].add(i);
      else waits[i].add(j);
    }
  }
  const left = new Set(solids.keys());
  const sorted = [];
  while (left.size > 0) {
    let next = null;
    for (const i of left) {
      if (![...waits[i]].some((j) => left.has(j))) { next = i; break; }
    }
    // A circle of solids that hide each other cannot be ordered: the farthest comes first.
    if (next === null) next = left.values().next().value;
    left.delete(next);
    sorted.push(solids[next]);
  }
  return sorted;
}
