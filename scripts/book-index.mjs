// An index of the pages of the book, as one page of Markdown on standard output:
//   node scripts/book-index.mjs PAGE.md... > index.md
// Its entries are the glossary's terms, what stands in the first column of tables as code (keys of
// an experiment, metrics, rules, flags), and headings; each with the pages that have it.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Page by page, where a word is explained: word, address, and what the place is called. */
const entries = new Map();

function add(word, address, place) {
  const key = word.trim();
  if (key === "" || key.length > 60) return;
  const places = entries.get(key) ?? new Map();
  if (!places.has(address)) places.set(address, place);
  entries.set(key, places);
}

/** As mdBook and GitHub make an anchor of a heading. */
function anchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function read(page) {
  const name = basename(page);
  let title = name;
  let section = "";
  let isCode = false;
  for (const line of readFileSync(page, "utf8").split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode) continue;
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading) {
      const text = heading[2].replace(/`/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
      if (heading[1] === "#") title = text;
      section = heading[1] === "#" ? "" : `#${anchor(text)}`;
      if (heading[1] !== "#") add(text, name + section, title);
      continue;
    }
    const term = /^\*\*([^*]+?)\.?\*\*/.exec(line);
    if (term && name === "glossary.md") add(term[1], name + section, title);
    const cell = /^\| *((?:`[^`|]+`(?:, )?)+) *\|/.exec(line);
    if (cell) for (const [, code] of cell[1].matchAll(/`([^`]+)`/g)) add(`\`${code}\``, name + section, title);
  }
}

const pages = process.argv.slice(2);
if (pages.length === 0) {
  console.error("usage: node scripts/book-index.mjs PAGE.md...");
  process.exit(2);
}
pages.forEach(read);

const plain = (word) => word.replace(/[`"'-]/g, "").toLowerCase();
const sorted = [...entries].sort(([a], [b]) => plain(a).localeCompare(plain(b), "en") || a.localeCompare(b, "en"));
console.log("# Index\n");
let letter = "";
for (const [word, places] of sorted) {
  const first = plain(word)[0]?.toUpperCase() ?? "";
  const group = /\p{L}/u.test(first) ? first : "0–9";
  if (group !== letter) {
    letter = group;
    console.log(`\n## ${letter}\n`);
  }
  const links = [...places].map(([address, place]) => `[${place}](${address})`);
  console.log(`- ${word}: ${links.join("; ")}`);
}
