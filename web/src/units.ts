// Numbers for axes and tips: three significant digits and the unit that keeps them short.

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95 || Number.isInteger(value)) return Math.round(value).toLocaleString("en-US");
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.0995) return value.toFixed(2);
  return value.toPrecision(2).replace(/\.?0+$/, "");
}

/** `456 ms`, `1.23 s` */
export function milliseconds(ms: number): string {
  return Math.abs(ms) < 999.5 ? `${digits(ms)} ms` : `${digits(ms / 1000)} s`;
}

/** The same for the ticks of an axis, without superfluous decimals: `1 ms`, `10 s`. */
export function millisecondsTick(ms: number): string {
  if (ms === 0) return "0";
  const [value, unit] = ms < 1000 ? [ms, "ms"] : [ms / 1000, "s"];
  return `${Number(value.toPrecision(3)).toLocaleString("en-US")} ${unit}`;
}

/** `182 MiB` */
export function bytes(value: number): string {
  if (value === 0) return "0";
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (unit < units.length - 1 && value >= 0.9995 * 1024) {
    value /= 1024;
    unit += 1;
  }
  return `${digits(value)} ${units[unit]}`;
}

/** `12,345/s` */
export function rateTick(perSecond: number): string {
  return perSecond === 0 ? "0" : `${digits(perSecond)}/s`;
}

/** `12.3 s`, `4.20 min`, `3.10 h`, `10 days`: for costs, which span decades. */
export function seconds(s: number): string {
  if (s < 60) return milliseconds(s * 1000);
  if (s < 3600) return `${digits(s / 60)} min`;
  if (s < 864e2 * 2) return `${digits(s / 3600)} h`;
  return `${digits(s / 864e2)} days`;
}

/** `12,300`, `1.2 M` */
export function count(n: number): string {
  if (n < 1e6) return Math.round(Number(n.toPrecision(3))).toLocaleString("en-US");
  if (n < 1e9) return `${digits(n / 1e6)} M`;
  return `${digits(n / 1e9)} G`;
}

/** The quantile of `1/(1-q)` in per cent: 1 → `min`, 2 → `50 %`, 1000 → `99.9 %`. */
export function quantile(x: number): string {
  if (x <= 1) return "min";
  const nines = Math.max(0, Math.floor(Math.log10(x) + 1e-9) - 2);
  return `${Number(((1 - 1 / x) * 100).toFixed(nines + 1))} %`;
}

/** Powers of ten between the two, both included where they are powers themselves. */
export function decades(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); e <= Math.log10(high) + 1e-9; e += 1) {
    ticks.push(10 ** e);
  }
  return ticks;
}

/**
 * Ticks of a logarithmic axis: the decades, with 2 and 5 between them when they are few. Where an
 * axis is too short for two of these, they are even.
 */
export function logTicks(low: number, high: number): number[] {
  const tens = decades(low / 10, high);
  const all = Math.log10(high / low) > 3.2 ? tens : tens.flatMap((t) => [t, 2 * t, 5 * t]);
  const ticks = all.filter((t) => t >= low * 0.999 && t <= high * 1.001);
  return ticks.length < 2 ? evenTicks(low, high, 4) : ticks;
}

/** Multiples of a round step; the one value where both are the same. */
function evenTicks(low: number, high: number, wanted: number): number[] {
  const step = roundStep((high - low) / wanted);
  if (!(step > 0)) return [low];
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i += 1) {
    // A sum of tenths is not exact.
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.ceil(Math.log10(least));
  return [power / 5, power / 2, power].find((step) => step >= least) ?? power;
}

/**
 * Multiples of a round step in units of 1024 bytes, at most `wanted`.
 * Plot's own ticks are multiples of ten bytes, which read as 95.4 MiB.
 */
export function byteTicks(high: number, wanted: number): number[] {
  if (!(high > 0)) return [0];
  let step = 1;
  while (high / step > wanted) step *= 2;
  const ticks: number[] = [];
  for (let t = 0; t <= high; t += step) ticks.push(t);
  return ticks;
}

const DURATIONS = [1e-3, 1e-2, 0.1, 1, 10, 60, 600, 3600, 36e3, 864e3, 864e4, 864e5];

/**
 * Ticks of a logarithmic axis of seconds, round in the units that people use. Where an axis is too
 * short for two of these, they are even.
 */
export function durationTicks(low: number, high: number): number[] {
  const ticks = DURATIONS.filter((t) => t >= low * 0.85 && t <= high * 1.15);
  return ticks.length < 2 ? clockTicks(low, high, 4) : ticks;
}

const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400];

/**
 * Ticks of a linear axis of seconds, at most `wanted`: round as a clock is, tenths below a second,
 * whole days beyond two.
 */
export function clockTicks(low: number, high: number, wanted: number): number[] {
  const most = (high - low) / Math.max(1, wanted);
  const days = 86400 * Math.ceil(most / 86400);
  const step = most <= 0.5 ? roundStep(most) : (CLOCK_STEPS.find((step) => step >= most) ?? days);
  if (!(step > 0) || !Number.isFinite(step)) return [low];
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9) + 0; i * step <= high * (1 + 1e-9); i += 1) ticks.push(i * step);
  return ticks;
}

/** `0`, `20 s`, `3:20 min`, `2:30 h`, `3 days`: an instant on an axis of time. */
export function clockTick(s: number): string {
  if (s === 0) return "0";
  if (s < 60) return millisecondsTick(s * 1000);
  const pair = (whole: number, rest: number) => `${whole}:${String(rest).padStart(2, "0")}`;
  const total = Math.round(s);
  if (total < 3600) return `${pair(Math.floor(total / 60), total % 60)} min`;
  if (total < 172800) return `${pair(Math.floor(total / 3600), Math.floor((total % 3600) / 60))} h`;
  return `${digits(total / 86400)} days`;
}
