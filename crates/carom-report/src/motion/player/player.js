// The clock, the controls, the keyboard.

const SPEEDS = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4, 1e-5, 1e-6];
const stage = element("stage");
const timeline = element("timeline");
const energy = element("energy");
const view = { time: 0, speed: 1, playing: false, arrows: true, names: true, paths: false, selected: -1 };
let wanted = true;
let before = 0;

function changed() {
  wanted = true;
}

// Players in frames of one page have one clock: what a reader does to one is done to the others.
const FRAMED = window.parent !== window;
let heard = false;

function tell(what) {
  if (FRAMED && !heard) window.parent.postMessage({ carom: what }, "*");
}

function hear(e) {
  const what = e.data && e.data.carom;
  if (!FRAMED || e.source !== window.parent || !what) return;
  heard = true;
  if (Number.isFinite(what.time)) setTime(what.time);
  if (SPEEDS.includes(what.speed)) setSpeed(what.speed);
  if (typeof what.playing === "boolean") setPlaying(what.playing);
  heard = false;
}

function setTime(t, keeps) {
  view.time = Math.min(END, Math.max(0, t));
  if (!keeps) follow(view.time);
  if (!view.playing) tell({ time: t });
  changed();
}

function setPlaying(playing) {
  if (playing && view.time >= END) setTime(0);
  if (playing !== view.playing) tell({ playing, time: view.time });
  view.playing = playing && END > 0;
  const button = element("play");
  button.textContent = view.playing ? "❚❚ pause" : "▶ play";
  button.setAttribute("aria-pressed", String(view.playing));
  changed();
}

function setSpeed(speed) {
  view.speed = speed;
  tell({ speed });
  element("speed").value = String(speed);
  changed();
}

function faster(step) {
  const k = SPEEDS.indexOf(view.speed);
  setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, k - step))]);
}

function select(k) {
  if (k < 0 || k >= DATA.events.length) return;
  setPlaying(false);
  view.selected = k;
  setTime(DATA.events[k].t);
  showEvent(k);
}

// To the event before or after the present.
function goToEvent(step) {
  const now = eventAt(view.time);
  if (step > 0) select(now + 1);
  else if (view.selected === now && now > 0) select(now - 1);
  else select(now >= 0 && DATA.events[now].t < view.time ? now : now - 1);
}

function draw(now) {
  const passed = Math.min(0.1, (now - before) / 1000);
  before = now;
  if (view.playing) {
    const t = view.time + passed * view.speed;
    setTime(t);
    if (t >= END) {
      // Others may go on: their motions end when they end.
      heard = true;
      setPlaying(false);
      heard = false;
    }
  }
  if (wanted) {
    wanted = false;
    drawStage(stage, view);
    drawTimeline(timeline, view.time, view.selected);
    drawEnergy(energy, view.time);
    showClock(view);
    showLedger(view);
    const at = eventAt(view.time);
    listEvents(at);
    markRow(at, view.selected);
  }
  requestAnimationFrame(draw);
}

function zoom(factor) {
  camera.scale *= factor;
  camera.distance /= factor;
  changed();
}

function orbit(dx, dy) {
  if (FLAT) {
    camera.target = add(camera.target, [-dx / camera.scale, dy / camera.scale, 0]);
  } else {
    camera.azimuth -= 0.008 * dx;
    camera.elevation = Math.min(1.55, Math.max(-1.55, camera.elevation + 0.008 * dy));
  }
  changed();
}

function pan(dx, dy) {
  if (FLAT) return orbit(dx, dy);
  const metres = camera.distance / camera.focal;
  camera.target = add(camera.target, add(times(camera.right, -dx * metres), times(camera.above, dy * metres)));
  changed();
}

function pointers() {
  const down = new Map();
  stage.addEventListener("pointerdown", (e) => {
    down.set(e.pointerId, [e.clientX, e.clientY]);
    stage.setPointerCapture(e.pointerId);
  });
  stage.addEventListener("pointermove", (e) => {
    const last = down.get(e.pointerId);
    if (!last) return;
    const [dx, dy] = [e.clientX - last[0], e.clientY - last[1]];
    if (down.size === 2) {
      const other = [...down].find(([id]) => id !== e.pointerId)[1];
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      zoom(apart([e.clientX, e.clientY]) / Math.max(1, apart(last)));
    } else if (e.shiftKey || e.buttons === 2) {
      pan(dx, dy);
    } else {
      orbit(dx, dy);
    }
    down.set(e.pointerId, [e.clientX, e.clientY]);
  });
  for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, (e) => down.delete(e.pointerId));
  stage.addEventListener("contextmenu", (e) => e.preventDefault());
  // A page that is scrolled past the picture stays a page.
  stage.addEventListener("wheel", (e) => {
    if (document.activeElement !== stage && !e.ctrlKey) return;
    e.preventDefault();
    zoom(Math.exp(-0.0015 * e.deltaY));
  }, { passive: false });
  for (const chart of [timeline, energy]) {
    let held = false;
    const place = (e) => setTime(timeAt(e.offsetX, chart.clientWidth), true);
    chart.addEventListener("pointerdown", (e) => {
      const k = chart === timeline ? eventNear(e.offsetX, e.offsetY, chart.clientWidth) : -1;
      if (k >= 0) return select(k);
      held = true;
      chart.setPointerCapture(e.pointerId);
      setPlaying(false);
      place(e);
    });
    chart.addEventListener("pointermove", (e) => held && place(e));
    chart.addEventListener("pointerup", () => { held = false; });
    chart.addEventListener("wheel", (e) => {
      if (document.activeElement !== chart && !e.ctrlKey) return;
      e.preventDefault();
      zoomTime(Math.exp(0.002 * e.deltaY), timeAt(e.offsetX, chart.clientWidth));
      changed();
    }, { passive: false });
  }
}

const KEYS = {
  " ": () => setPlaying(!view.playing),
  ArrowLeft: (e) => (e.shiftKey ? goToEvent(-1) : setTime(view.time - view.speed / 30)),
  ArrowRight: (e) => (e.shiftKey ? goToEvent(1) : setTime(view.time + view.speed / 30)),
  ArrowUp: () => faster(1),
  ArrowDown: () => faster(-1),
  Home: () => setTime(0),
  End: () => setTime(END),
  "+": () => zoom(1.2),
  "=": () => zoom(1.2),
  "-": () => zoom(1 / 1.2),
  a: () => orbit(-25, 0),
  d: () => orbit(25, 0),
  w: () => orbit(0, -25),
  s: () => orbit(0, 25),
  0: () => fitCamera(stage.clientWidth, stage.clientHeight),
};

function keyboard(e) {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const target = e.target;
  if (target.closest("select, input, textarea, summary, a")) return;
  if (target.closest("button") && (e.key === " " || e.key === "Enter")) return;
  // Elsewhere these keys scroll the page.
  const scrolls = ["ArrowUp", "ArrowDown", "Home", "End"].includes(e.key);
  if (scrolls && !target.closest("#player") && target !== document.body) return;
  const act = KEYS[e.key];
  if (!act) return;
  e.preventDefault();
  act(e);
  changed();
}

function controls() {
  const on = (id, act) => element(id).addEventListener("click", act);
  on("to-start", () => setTime(0));
  on("to-end", () => setTime(END));
  on("previous", () => goToEvent(-1));
  on("next", () => goToEvent(1));
  on("play", () => setPlaying(!view.playing));
  on("nearer", () => zoom(1.25));
  on("farther", () => zoom(0.8));
  on("fit", () => { fitCamera(stage.clientWidth, stage.clientHeight); changed(); });
  on("longer", () => { zoomTime(2, view.time); changed(); });
  on("shorter", () => { zoomTime(0.5, view.time); changed(); });
  on("whole", () => { zoomTime(1e300, view.time); changed(); });
  const speeds = element("speed");
  for (const speed of SPEEDS) {
    const choice = document.createElement("option");
    choice.value = String(speed);
    choice.textContent = speed >= 1e-2 ? `${speed}×` : `1/${Math.round(1 / speed)}×`;
    speeds.append(choice);
  }
  speeds.addEventListener("change", () => setSpeed(Number(speeds.value)));
  for (const name of ["arrows", "names", "paths"]) {
    const box = element(`show-${name}`);
    box.checked = view[name];
    box.addEventListener("change", () => { view[name] = box.checked; changed(); });
  }
  element("event-list").addEventListener("click", (e) => {
    const row = e.target.closest("tr");
    if (row && e.target.closest("button")) select(Number(row.dataset.event));
  });
  timeline.setAttribute("aria-valuemin", "0");
  timeline.setAttribute("aria-valuemax", END.toPrecision(9));
  document.addEventListener("keydown", keyboard);
  window.addEventListener("resize", changed);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); changed(); });
}

// `#t=1.5`, `#t=end`, `#event=3` and `#play` are places in the motion that a link can name.
function goToHash() {
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value] = part.split("=");
    if (name === "t") setTime(value === "end" ? END : Number(value) || 0);
    else if (name === "event") select(Number(value));
    else if (name === "play") setPlaying(true);
  }
}

readColours();
// What follows is set in each frame by itself.
heard = true;
controls();
pointers();
fitCamera(stage.clientWidth, stage.clientHeight);
// A motion plays in five seconds to a minute.
setSpeed(SPEEDS.find((speed) => speed <= 1 && speed <= END / 4) || (END > 0 ? SPEEDS[SPEEDS.length - 1] : 1));
setPlaying(false);
window.addEventListener("hashchange", goToHash);
goToHash();
heard = false;
window.addEventListener("message", hear);
before = performance.now();
draw(before);
document.documentElement.dataset.ready = "true";
