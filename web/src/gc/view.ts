// The part of a log that is drawn, and its points brought down to what a screen can show: of all
// that fall into one column of pixels the extremes stay, so that no collection vanishes.
import type { HeapPoint, Line, PausePoint } from "./data";

export interface View {
  /** Seconds since the log began. */
  from: number;
  to: number;
  /** The scale of the heap goes up to the largest heap allowed. */
  maximum: boolean;
}

export interface Step {
  t: number;
  value: number;
}

/** The place of an instant among so many columns; null when it is not in view. */
function column(t: number, view: View, columns: number): number | null {
  if (t < view.from || t > view.to) return null;
  const share = (t - view.from) / Math.max(view.to - view.from, Number.MIN_VALUE);
  return Math.min(columns - 1, Math.floor(share * columns));
}

function gathered<P extends [number, ...unknown[]]>(
  points: P[],
  view: View,
  columns: number,
  join: (a: P, b: P) => P,
): P[] {
  const found: P[] = [];
  let last = -1;
  for (const point of points) {
    const place = column(point[0], view, columns);
    if (place === null) continue;
    const before = found[found.length - 1];
    if (place === last && before) found[found.length - 1] = join(before, point);
    else found.push(point);
    last = place;
  }
  return found;
}

export function heapIn(points: HeapPoint[], view: View, columns: number): HeapPoint[] {
  return gathered(points, view, columns, (a, b) => [
    a[0],
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.max(a[3], b[3]),
    a[4] === null ? b[4] : b[4] === null ? a[4] : Math.max(a[4], b[4]),
  ]);
}

/** The last point before the view and the first one after it: lines go on beyond its edges. */
export function beside<P extends [number, ...unknown[]]>(points: P[], view: View): { before: P[]; after: P[] } {
  return {
    before: points.filter(([t]) => t < view.from).slice(-1),
    after: points.filter(([t]) => t > view.to).slice(0, 1),
  };
}

/**
 * The points of a line in steps, which ends where a value is above `top` and begins again below it.
 * There it has NaN.
 */
export function stepsBelow(points: Step[], top: number): Step[] {
  let last = NaN;
  return points.flatMap(({ t, value }) => {
    const end = { t, value: last };
    last = value <= top ? value : NaN;
    // The step before a gap is as long as any other.
    const step = { t, value: last };
    return Number.isNaN(last) && !Number.isNaN(end.value) ? [end, step] : [step];
  });
}

export function pausesIn(points: PausePoint[], view: View, columns: number): PausePoint[] {
  return gathered(points, view, columns, (a, b) => [
    a[1] >= b[1] ? a[0] : b[0],
    Math.max(a[1], b[1]),
    a[2] + b[2],
    a[3] + b[3],
  ]);
}

/** The part of a straight line that is in view; null where none is. */
export function lineIn([[t0, y0], [t1, y1]]: Line, view: View): Line | null {
  const [from, to] = [Math.max(t0, view.from), Math.min(t1, view.to)];
  if (from >= to) return null;
  const at = (t: number) => y0 + ((t - t0) / (t1 - t0)) * (y1 - y0);
  return [
    [from, at(from)],
    [to, at(to)],
  ];
}

/** A view so many times as long around an instant, within the log. */
export function zoomed(view: View, factor: number, around: number, duration: number): View {
  const length = Math.min(duration, Math.max((view.to - view.from) * factor, duration / 1e6));
  const share = (around - view.from) / Math.max(view.to - view.from, Number.MIN_VALUE);
  return within({ ...view, from: around - share * length, to: around + (1 - share) * length }, duration);
}

/** A view moved by a share of its length, within the log. */
export function moved(view: View, share: number, duration: number): View {
  const by = (view.to - view.from) * share;
  return within({ ...view, from: view.from + by, to: view.to + by }, duration);
}

function within(view: View, duration: number): View {
  const length = Math.min(view.to - view.from, duration);
  const from = Math.min(Math.max(0, view.from), duration - length);
  return { ...view, from, to: from + length };
}
