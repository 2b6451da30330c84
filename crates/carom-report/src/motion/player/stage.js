// The picture: bodies, what holds them together, contacts.

const HUES = ["blue", "red", "green", "purple", "amber", "sky"];
const colours = {};

// Colours as the style sheet has them now.
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "ground", "muted", "line", "panel", "floor", "good", "bad", ...HUES]) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
}

// A colour between another and the ground's opposite: 1 as it is, less is darker.
function shaded(name, light) {
  const hex = colours[name];
  const part = (i) => Math.round(parseInt(hex.slice(i, i + 2), 16) * light);
  return `rgb(${part(1)},${part(3)},${part(5)})`;
}

let hue = 0;
const HUE_OF = DATA.bodies.map((body) => (body.mass > 0 ? HUES[hue++ % HUES.length] : "muted"));

// Where arrows are long: the largest force that lasts, and the largest impulse.
const MOST_FORCE = (() => {
  let most = 0;
  for (let c = 0; c < CONTACT_PAIRS.length; c++) {
    const at = c * 2 * AXES + AXES;
    most = Math.max(most, Math.hypot(...CONTACTS.subarray(at, at + AXES)));
  }
  return most;
})();
const MOST_IMPULSE = DATA.events.reduce(
  (m, event) => event.contacts.reduce((n, c) => (c.impulse ? Math.max(n, Math.hypot(...c.impulse)) : n), m), 0);

function begin(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, width, height);
  pen.font = "12px Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
  pen.lineJoin = "round";
  pen.lineCap = "round";
  return { pen, width, height };
}

function path(pen, points, closed) {
  pen.beginPath();
  points.forEach((p, i) => (i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
  if (closed) pen.closePath();
}

// Where words stand in this picture, so that others go elsewhere.
let taken = [];

// Words beside a point, at the first of some places where no others are; none where there is no room.
function beside(pen, text, x, y, away, colour) {
  const wide = pen.measureText(text).width;
  for (const [dx, dy] of [[1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1.4], [0, 1.4]]) {
    const left = dx > 0 ? x + away : dx < 0 ? x - away - wide : x - 0.5 * wide;
    const base = dy < 0 ? y + dy * away : y + dy * away + 9;
    const rect = [left - 2, base - 11, left + wide + 2, base + 3];
    const meets = (other) => rect[0] < other[2] && other[0] < rect[2] && rect[1] < other[3] && other[1] < rect[3];
    if (rect[1] < 0 || rect[3] > camera.height || taken.some(meets)) continue;
    taken.push(rect);
    words(pen, text, left, base, colour);
    return;
  }
}

function words(pen, text, x, y, colour) {
  pen.lineWidth = 3;
  pen.strokeStyle = colours.ground;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

// `view`: {time, speed, arrows, names, paths}.
function drawStage(canvas, view) {
  const { pen, width, height } = begin(canvas);
  aim(width, height);
  // The clock's corner.
  taken = [[width - 190, 0, width, 34]];
  const poses = bodiesAt(view.time);
  DATA.bodies.forEach((body, i) => {
    for (const look of body.looks) if (look.normal) drawHalfSpace(pen, look, poses[i], poses);
  });
  if (FLAT) drawGrid(pen);
  if (view.paths) drawPaths(pen, view.time);
  if (FLAT) drawFlat(pen, poses);
  else drawSolids(pen, poses);
  drawLinks(pen, poses);
  if (view.arrows) drawArrows(pen, view);
  if (view.names) {
    DATA.bodies.forEach((body, i) => {
      if (!(body.mass > 0)) return;
      const [x, y] = project(poses[i].at);
      const r = Math.max(0, ...body.looks.map((look) => reach(look) || 0)) * pixels(poses[i].at);
      beside(pen, body.name, x, y, 0.71 * Math.min(r, 60) + 4, colours.ink);
    });
  }
  drawScale(pen, height);
}

function drawGrid(pen) {
  const step = round(90 / camera.scale);
  const [left, top] = [camera.target[0] - 0.5 * camera.width / camera.scale, camera.target[1] + 0.5 * camera.height / camera.scale];
  pen.lineWidth = 1;
  pen.strokeStyle = colours.line;
  pen.fillStyle = colours.muted;
  for (let k = Math.ceil(left / step); ; k++) {
    const [x] = project([k * step, 0, 0]);
    if (x > camera.width) break;
    path(pen, [[x, 0], [x, camera.height]]);
    pen.stroke();
    if (x < camera.width - 100) pen.fillText(short(k * step), x + 3, camera.height - 5);
  }
  for (let k = Math.floor(top / step); ; k--) {
    const [, y] = project([0, k * step, 0]);
    if (y > camera.height - 18) break;
    path(pen, [[0, y], [camera.width, y]]);
    pen.stroke();
    if (y > 14) pen.fillText(short(k * step), 4, y - 3);
  }
}

function drawScale(pen, height) {
  if (FLAT) {
    words(pen, "x, y in m", camera.width - 62, height - 5, colours.muted);
    return;
  }
  const metres = round(70 / pixels(camera.target));
  const long = metres * pixels(camera.target);
  const y = height - 14;
  path(pen, [[16, y - 4], [16, y], [16 + long, y], [16 + long, y - 4]]);
  pen.lineWidth = 1.5;
  pen.strokeStyle = colours.ink;
  pen.stroke();
  words(pen, `${short(metres)} m in the middle`, 22 + long, y, colours.ink);
}

// The surface, and in the plane what is behind it; in space a grid on it with the shadows of what moves.
function drawHalfSpace(pen, look, pose, poses) {
  const origin = placed(pose, times(look.normal, look.offset));
  const normal = sub(placed(pose, look.normal), pose.at);
  if (FLAT) {
    const along = [-normal[1], normal[0], 0];
    const far = 3 * Math.hypot(camera.width, camera.height) / camera.scale;
    const foot = sub(camera.target, times(normal, dot(sub(camera.target, origin), normal)));
    const [a, b] = [add(foot, times(along, far)), sub(foot, times(along, far))];
    path(pen, [a, b, sub(b, times(normal, far)), sub(a, times(normal, far))].map(project), true);
    pen.fillStyle = colours.floor;
    pen.fill();
    path(pen, [project(a), project(b)]);
    pen.lineWidth = 2;
    pen.strokeStyle = colours.ink;
    pen.stroke();
    return;
  }
  const u = unit(cross(Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], normal));
  const v = cross(normal, u);
  const foot = sub(MIDDLE, times(normal, dot(sub(MIDDLE, origin), normal)));
  const step = round(EXTENT / 9);
  const n = Math.ceil(0.75 * EXTENT / step);
  // Lines stand at multiples of the step, wherever the middle is.
  const snap = (axis) => Math.round(dot(sub(foot, origin), axis) / step) * step;
  const corner = add(add(origin, times(u, snap(u))), times(v, snap(v)));
  const at = (i, j) => add(add(corner, times(u, i * step)), times(v, j * step));
  path(pen, [at(-n, -n), at(n, -n), at(n, n), at(-n, n)].map(project), true);
  pen.fillStyle = colours.floor;
  pen.fill();
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  for (let i = -n; i <= n; i++) {
    path(pen, [project(at(i, -n)), project(at(i, n))]);
    pen.stroke();
    path(pen, [project(at(-n, i)), project(at(n, i))]);
    pen.stroke();
  }
  const below = dot(sub(camera.eye, origin), normal) < 0;
  if (below || dot(normal, UP) < 0.5) return;
  const down = (p) => project(sub(p, times(normal, dot(sub(p, origin), normal))));
  pen.fillStyle = "rgba(0,0,0,0.16)";
  DATA.bodies.forEach((other, i) => {
    if (!other.moves) return;
    for (const shape of other.looks) {
      pen.beginPath();
      if (shape.ball) {
        const centre = placed(poses[i], shape.ball);
        for (let k = 0; k < 32; k++) {
          const [s, c] = [Math.sin(k * Math.PI / 16), Math.cos(k * Math.PI / 16)];
          const [x, y] = down(add(add(centre, times(u, shape.radius * c)), times(v, shape.radius * s)));
          k ? pen.lineTo(x, y) : pen.moveTo(x, y);
        }
      } else if (shape.vertices) {
        const points = shape.vertices.map((p) => placed(poses[i], p));
        for (const face of shape.faces) {
          if (dot(faceNormal(points, face), normal) <= 0) continue;
          face.forEach((c, k) => { const [x, y] = down(points[c]); k ? pen.lineTo(x, y) : pen.moveTo(x, y); });
          pen.closePath();
        }
      }
      pen.fill();
    }
  });
}

function faceNormal(points, face) {
  return unit(cross(sub(points[face[1]], points[face[0]]), sub(points[face[2]], points[face[0]])));
}

function drawFlat(pen, poses) {
  DATA.bodies.forEach((body, i) => {
    const name = HUE_OF[i];
    for (const look of body.looks) {
      if (look.ball) {
        const [x, y] = project(placed(poses[i], look.ball));
        const r = Math.max(1.5, look.radius * camera.scale);
        pen.beginPath();
        pen.arc(x, y, r, 0, 2 * Math.PI);
        fillBody(pen, name);
        const [ex, ey] = project(placed(poses[i], [look.ball[0] + look.radius, look.ball[1], 0]));
        path(pen, [[x, y], [ex, ey]]);
        pen.stroke();
      } else if (look.outline) {
        path(pen, look.outline.map((p) => project(placed(poses[i], p))), true);
        fillBody(pen, name);
      } else if (look.corners) {
        drawCorners(pen, look, poses[i], name);
      }
    }
    if (body.mass > 0) drawCentre(pen, poses[i], name);
  });
}

function fillBody(pen, name) {
  pen.globalAlpha = 0.32;
  pen.fillStyle = colours[name];
  pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 1.8;
  pen.strokeStyle = colours[name];
  pen.stroke();
}

// Bars from the centre of mass to each corner.
function drawCorners(pen, look, pose, name) {
  pen.strokeStyle = colours[name];
  pen.fillStyle = colours[name];
  for (const corner of look.corners) {
    const [a, b] = [project(pose.at), project(placed(pose, corner))];
    pen.lineWidth = 3;
    path(pen, [a, b]);
    pen.stroke();
    pen.beginPath();
    pen.arc(b[0], b[1], 4, 0, 2 * Math.PI);
    pen.fill();
  }
}

function drawCentre(pen, pose, name) {
  const [x, y] = project(pose.at);
  pen.beginPath();
  pen.arc(x, y, 2.5, 0, 2 * Math.PI);
  pen.fillStyle = colours[name];
  pen.fill();
}

function drawSolids(pen, poses) {
  const solids = [];
  DATA.bodies.forEach((body, i) => {
    for (const look of body.looks) {
      if (look.ball) {
        const ball = placed(poses[i], look.ball);
        const [x, y, depth] = project(ball);
        const r = look.radius * camera.focal / depth;
        solids.push({ ball, radius: look.radius, planes: [], depth, rect: [x - r, y - r, x + r, y + r], pose: poses[i], name: HUE_OF[i], x, y, r });
      } else if (look.vertices) {
        const points = look.vertices.map((p) => placed(poses[i], p));
        const screen = points.map(project);
        const planes = look.faces.map((face) => {
          const normal = faceNormal(points, face);
          return { normal, offset: dot(normal, points[face[0]]) };
        });
        const [xs, ys] = [screen.map((p) => p[0]), screen.map((p) => p[1])];
        solids.push({
          look, points, screen, planes, name: HUE_OF[i],
          depth: screen.reduce((sum, p) => sum + p[2], 0) / screen.length,
          rect: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
        });
      } else if (look.corners) {
        drawCorners(pen, look, poses[i], HUE_OF[i]);
      }
    }
    if (body.looks.length === 0 && body.mass > 0) drawCentre(pen, poses[i], HUE_OF[i]);
  });
  for (const solid of ordered(solids)) {
    if (solid.ball) drawBall(pen, solid);
    else drawFaces(pen, solid);
  }
}

const LIGHT = unit(add(add(times(UP, 1), times(ACROSS, 0.35)), times(ONWARDS, -0.5)));

function drawFaces(pen, solid) {
  solid.look.faces.forEach((face, f) => {
    const plane = solid.planes[f];
    if (dot(plane.normal, camera.eye) <= plane.offset) return;
    const light = 0.72 + 0.28 * dot(plane.normal, LIGHT) - (solid.look.dark[f] ? 0.16 : 0);
    path(pen, face.map((c) => solid.screen[c]), true);
    pen.fillStyle = shaded(solid.name, light);
    pen.fill();
    pen.lineWidth = solid.look.edged[f] ? 1.2 : 0.8;
    pen.strokeStyle = solid.look.edged[f] ? shaded(solid.name, 0.45) : pen.fillStyle;
    pen.stroke();
  });
}

// A ball with three great circles, so that it is seen to turn.
function drawBall(pen, solid) {
  const { x, y, r, pose, ball, radius, name } = solid;
  const glow = pen.createRadialGradient(x - 0.35 * r, y - 0.4 * r, 0.1 * r, x, y, r);
  glow.addColorStop(0, shaded(name, 1.1));
  glow.addColorStop(1, shaded(name, 0.6));
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fillStyle = glow;
  pen.fill();
  pen.lineWidth = 1.2;
  pen.strokeStyle = shaded(name, 0.45);
  pen.stroke();
  const axis = (k) => [pose.turn[0][k], pose.turn[1][k], pose.turn[2][k]];
  for (let k = 0; k < 3; k++) {
    const [a, b] = [axis((k + 1) % 3), axis((k + 2) % 3)];
    pen.beginPath();
    let drawing = false;
    for (let j = 0; j <= 36; j++) {
      const out = add(times(a, Math.cos(j * Math.PI / 18)), times(b, Math.sin(j * Math.PI / 18)));
      const p = add(ball, times(out, radius));
      const seen = dot(out, sub(camera.eye, p)) > 0;
      const [px, py] = project(p);
      if (seen && drawing) pen.lineTo(px, py);
      else if (seen) pen.moveTo(px, py);
      drawing = seen;
    }
    pen.stroke();
  }
}

// Joints as rings with bars to the centres of mass, springs as zigzags.
function drawLinks(pen, poses) {
  for (const joint of DATA.joints) {
    const [a, b] = [placed(poses[joint.a], joint.at[0]), placed(poses[joint.b], joint.at[1])];
    for (const [body, p] of [[joint.a, a], [joint.b, b]]) {
      if (!(DATA.bodies[body].mass > 0)) continue;
      path(pen, [project(poses[body].at), project(p)]);
      pen.lineWidth = 1.6;
      pen.strokeStyle = colours[HUE_OF[body]];
      pen.stroke();
    }
    const [x, y] = project(a);
    pen.beginPath();
    if (joint.kind === "slider" || joint.kind === "weld") pen.rect(x - 4, y - 4, 8, 8);
    else pen.arc(x, y, 4, 0, 2 * Math.PI);
    pen.fillStyle = colours.ground;
    pen.fill();
    pen.lineWidth = 1.5;
    pen.strokeStyle = colours.ink;
    pen.stroke();
  }
  for (const spring of DATA.springs) {
    const [a, b] = [project(placed(poses[spring.a], spring.at[0])), project(placed(poses[spring.b], spring.at[1]))];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const long = Math.hypot(dx, dy) || 1;
    const points = [a];
    for (let k = 1; k < 16; k++) {
      const side = k < 3 || k > 13 ? 0 : k % 2 ? 6 : -6;
      points.push([a[0] + dx * k / 16 - dy / long * side, a[1] + dy * k / 16 + dx / long * side]);
    }
    path(pen, points.concat([b]));
    pen.lineWidth = 1.4;
    pen.strokeStyle = colours.ink;
    pen.stroke();
  }
}

// Where centres of mass have been, and, paler, where they will be.
function drawPaths(pen, time) {
  const now = sampleAt(time);
  const stride = Math.max(1, Math.floor(COUNT / 1500));
  DATA.bodies.forEach((body, i) => {
    if (!(body.mass > 0)) return;
    const at = (k) => {
      const p = (k * movers + PLACE[i]) * POSE;
      return project([POSES[p], POSES[p + 1], FLAT ? 0 : POSES[p + 2]]);
    };
    for (const [from, to, dash] of [[0, now, []], [now, COUNT - 1, [2, 5]]]) {
      const points = [];
      for (let k = from; k < to; k += stride) points.push(at(k));
      if (to >= from) points.push(at(to));
      path(pen, points);
      pen.setLineDash(dash);
      pen.lineWidth = 1;
      pen.strokeStyle = colours[HUE_OF[i]];
      pen.stroke();
      pen.setLineDash([]);
    }
  });
}

// Forces of contacts that last: thin, with N. Impulses of impacts, for a moment after them: thick, with N·s.
function drawArrows(pen, view) {
  const longest = 0.24 * Math.min(camera.width, camera.height);
  for (const contact of contactsAt(view.time)) {
    const force = size(contact.force);
    if (force > 1e-9 * MOST_FORCE) {
      const text = `${short(force, 3)} N${contact.slides ? ", slides" : ""}`;
      drawArrow(pen, contact.point, contact.force, longest * force / MOST_FORCE, "green", 2, text);
    }
  }
  // Longer than a blink, at any speed.
  const lasting = 0.45 * view.speed;
  const last = eventAt(view.time);
  for (let k = last; k >= 0 && k > last - 24; k--) {
    const event = DATA.events[k];
    if (view.time - event.t > lasting) break;
    const latest = event.t === DATA.events[last].t;
    for (const contact of event.contacts) {
      if (!contact.impulse) continue;
      const impulse = Math.hypot(...contact.impulse);
      // Those of bounces that die away would be dots.
      if (!(impulse > 1e-3 * MOST_IMPULSE)) continue;
      const long = longest * Math.max(0.12, impulse / MOST_IMPULSE);
      const text = latest ? `${short(impulse, 3)} N·s` : "";
      drawArrow(pen, spread(contact.point), spread(contact.impulse), long, "red", latest ? 5 : 3, text);
    }
  }
}

function drawArrow(pen, from, direction, long, name, wide, text) {
  const a = project(from);
  const step = 0.05 * EXTENT;
  const ahead = project(add(from, times(unit(direction), step)));
  // As long on the screen as it would be across the line of sight.
  const part = Math.hypot(ahead[0] - a[0], ahead[1] - a[1]) / (step * pixels(from));
  const [dx, dy] = [ahead[0] - a[0], ahead[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const head = 5 + wide;
  const whole = Math.max(long * Math.min(1, part), 1);
  const [ux, uy] = [dx / length, dy / length];
  const b = [a[0] + ux * whole, a[1] + uy * whole];
  const neck = [b[0] - ux * Math.min(head, whole), b[1] - uy * Math.min(head, whole)];
  for (const [extra, colour] of [[3, colours.ground], [0, colours[name]]]) {
    pen.lineWidth = wide + extra;
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    path(pen, [a, neck]);
    pen.stroke();
    path(pen, [b, [neck[0] - uy * 0.6 * head, neck[1] + ux * 0.6 * head], [neck[0] + uy * 0.6 * head, neck[1] - ux * 0.6 * head]], true);
    if (extra) { pen.lineWidth = extra; pen.stroke(); }
    pen.fill();
  }
  if (text) beside(pen, text, b[0], b[1], 5, colours.ink);
}
