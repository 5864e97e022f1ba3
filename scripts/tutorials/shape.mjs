// What of a printed line has to come again.

/** What is left of a line when its figures are taken out. */
export function shape(line) {
  return line
    .replace(/\x1b\[[0-9;]*m/g, "")
    .replace(/[−-]?\d[\d,]*(\.\d+)?/g, "0")
    // 850 ms may be 1.2 s another time.
    .replace(/\b0 ?(ns|us|µs|ms|s|min|B|KiB|MiB|GiB|kB|MB)\b/g, "0")
    // Which quantiles the generator's own lateness is more than a tenth of is chance.
    .replace(/\b0!/g, "0")
    // Which branch of a tree is the last depends on times.
    .replace(/[├└]─/g, "─").replaceAll("│", " ")
    // What is told apart may be another on another day.
    .replace(/^(Ship `[^`]+`:|\S+ is the cheapest that [^:]+:) .*/, "$1")
    .replace(/, advised|[✓✗=?~]( better| worse| same)?|(over )?\b0 ?%/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** A line with all of its figures, whatever its margin. */
export function allOf(line) {
  return line.replace(/\s+/g, " ").trim();
}

/**
 * The first line of `wanted` that does not come in its order; null when all do. `of` says what of a
 * line is compared. `...` stands for any lines, and at the end of a line for the rest of it.
 */
export function missing(wanted, printed, of) {
  const lines = printed.split("\n");
  let at = 0;
  for (const part of parts(wanted)) {
    const found = afterLines(part, lines, at, of);
    // Where a sentence is broken depends on its figures.
    const next = found.next ?? afterText(part, lines, at, of);
    if (next === undefined) return found.missing;
    at = next;
  }
  return null;
}

/** Lines that belong together: between two that are empty, or stand for others. */
function parts(text) {
  const parts = [[]];
  for (const line of text.split("\n")) {
    if (["", "..."].includes(line.trim())) parts.push([]);
    else parts.at(-1).push(line);
  }
  return parts.filter((part) => part.length > 0);
}

/** Where the lines of a part end, from `at`; or which of them is missing. */
function afterLines(part, lines, at, of) {
  let next = at;
  for (const line of part) {
    const one = of(line);
    const begins = one.endsWith(" ...") ? one.slice(0, -4) : null;
    const found = lines.findIndex((it, i) => i >= next && (begins ? of(it).startsWith(begins) : of(it) === one));
    if (found === -1) return { missing: line };
    next = found + 1;
  }
  return { next };
}

/** Where the text of a part ends, broken elsewhere; undefined where it does not come. */
function afterText(part, lines, at, of) {
  const text = of(part.join(" "));
  for (let first = at; first < lines.length; first += 1) {
    for (let end = first + 1; end <= Math.min(lines.length, first + part.length + 1); end += 1) {
      if (of(lines.slice(first, end).join(" ")) === text) return end;
    }
  }
  return undefined;
}
