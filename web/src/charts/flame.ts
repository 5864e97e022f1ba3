// Flame graphs of two builds: one tree, drawn by what either spends, or by the difference.
// Without DOM but for `draw`, so that the rest can be tested.

/** Whose code a frame is. */
export type Whose = "own" | "library" | "platform" | "what";

export interface Graph {
  title: string;
  unit: "ms" | "bytes";
  /** Each name once. */
  names: [name: string, whose: Whose][];
  /**
   * The whole first, frames before what they call: depth, place in `names`, baseline, candidate;
   * per request.
   */
  frames: [depth: number, name: number, baseline: number, candidate: number][];
}

/** What widths and colours say. */
export type View = "candidate" | "baseline" | "difference";

export interface Frame {
  index: number;
  name: string;
  whose: Whose;
  depth: number;
  baseline: number;
  candidate: number;
  caller: Frame | null;
  callees: Frame[];
}

/** In pixels, and a row a level. */
export interface Box {
  frame: Frame;
  x: number;
  width: number;
  row: number;
}

export const ROW = 18;
/**
 * Narrower boxes are not drawn until somebody zooms in: nobody could hit them, and their stacks
 * would make the picture many times as high.
 */
const NARROWEST = 2;
/** Width of a letter of the labels in pixels; their font is monospaced. */
const LETTER = 6.7;

/** Frames with their callers and callees; the first is the whole. */
export function tree(graph: Graph): Frame[] {
  const path: Frame[] = [];
  return graph.frames.map(([depth, place, baseline, candidate], index) => {
    const [name, whose] = graph.names[place] ?? ["", "platform"];
    const caller = path[depth - 1] ?? null;
    const frame: Frame = { index, name, whose, depth, baseline, candidate, caller, callees: [] };
    caller?.callees.push(frame);
    path.length = depth;
    path.push(frame);
    return frame;
  });
}

/** What a frame's width stands for. */
export function size(frame: Frame, view: View): number {
  return view === "baseline" ? frame.baseline : frame.candidate;
}

/** The frame that is zoomed into and its callers take the whole width. */
export function layOut(zoomed: Frame, view: View, width: number): Box[] {
  const boxes: Box[] = [];
  for (let frame = zoomed.caller; frame; frame = frame.caller) boxes.unshift({ frame, x: 0, width, row: frame.depth });
  const whole = size(zoomed, view);
  if (!(whole > 0)) return boxes;
  const todo: Box[] = [{ frame: zoomed, x: 0, width, row: zoomed.depth }];
  for (let box = todo.pop(); box; box = todo.pop()) {
    boxes.push(box);
    let x = box.x;
    for (const frame of box.frame.callees) {
      const wide = (size(frame, view) / whole) * width;
      if (wide >= NARROWEST) todo.push({ frame, x, width: wide, row: frame.depth });
      x += wide;
    }
  }
  return boxes;
}

/**
 * Frames whose name holds the text, and what is spent in them: a frame below another one that
 * matches is not counted twice.
 */
export function search(frames: Frame[], text: string): { found: Set<Frame>; baseline: number; candidate: number } {
  const wanted = text.trim().toLowerCase();
  const found = new Set<Frame>();
  let [baseline, candidate] = [0, 0];
  if (wanted === "") return { found, baseline, candidate };
  // The depth of the outermost match on the way to where we are.
  let within = Infinity;
  for (const frame of frames) {
    if (frame.depth <= within) within = Infinity;
    if (frame.caller === null || !frame.name.toLowerCase().includes(wanted)) continue;
    found.add(frame);
    if (within < Infinity) continue;
    within = frame.depth;
    baseline += frame.baseline;
    candidate += frame.candidate;
  }
  return { found, baseline, candidate };
}

/**
 * How much more a frame costs, from -1 to 1, where 1 is as much as the frame that changed most; the
 * root shows small changes too.
 */
export function heat(frame: Frame, most: number): number {
  const more = frame.candidate - frame.baseline;
  return most > 0 ? Math.sign(more) * Math.sqrt(Math.abs(more) / most) : 0;
}

/**
 * As much of a name as fits: first its package, or the library of its symbol, is left out; then the
 * name is cut.
 */
export function label(name: string, width: number): string {
  const room = Math.floor((width - 6) / LETTER);
  if (name.length <= room) return name;
  const native = /\.so(?:\.\d+)*\.(.+)$/.exec(name);
  const short = name.startsWith("(") ? name : (native?.[1] ?? name.split(".").slice(-2).join("."));
  if (short.length <= room) return short;
  return room < 3 ? "" : `${short.slice(0, room - 1)}…`;
}

/** Where a key leads from a frame; null when nowhere. */
export function neighbour(frame: Frame, key: string, view: View): Frame | null {
  const seen = (frames: Frame[]) => frames.filter((f) => size(f, view) > 0);
  if (key === "ArrowDown") return seen(frame.callees)[0] ?? null;
  if (key === "ArrowUp") return frame.caller;
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  const peers = seen(frame.caller?.callees ?? []);
  return step === 0 ? null : (peers[peers.indexOf(frame) + step] ?? null);
}

/** What is zoomed into when a key has led to a frame: what is not below that is not drawn. */
export function zoomedFor(frame: Frame, zoomed: Frame): Frame {
  return frame.depth <= zoomed.depth ? frame : zoomed;
}

/** `1 frame`, `12 frames`: how many a search has found. */
export function framesFound(found: number): string {
  return found === 1 ? "1 frame" : `${found} frames`;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/** The boxes; each carries its frame's index, for whoever listens. */
export function draw(boxes: Box[], view: View, width: number, found: Set<Frame>, most: number): SVGElement {
  const rows = Math.max(...boxes.map((box) => box.row)) + 1;
  const picture = svg("svg", { width, height: rows * ROW, viewBox: `0 0 ${width} ${rows * ROW}`, "aria-hidden": "true" });
  for (const { frame, x, width: wide, row } of boxes) {
    const group = svg("g", { class: frame.whose, "data-frame": frame.index });
    const box = svg("rect", { x: x.toFixed(2), y: row * ROW, width: Math.max(wide - 0.6, 1).toFixed(2), height: ROW - 1 });
    if (view === "difference") {
      const hot = heat(frame, most);
      group.classList.add(hot > 0 ? "more" : "less");
      box.style.fillOpacity = (0.05 + 0.55 * Math.abs(hot)).toFixed(3);
    }
    if (found.has(frame)) group.classList.add("found");
    group.append(box);
    const text = label(frame.name, wide);
    if (text !== "") {
      const written = svg("text", { x: (x + 3).toFixed(2), y: row * ROW + 12.5 });
      written.textContent = text;
      group.append(written);
    }
    picture.append(group);
  }
  return picture;
}
