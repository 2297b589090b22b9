// A site of any size whose pages are generated on request: each has unique paragraphs and about
// twenty links.
const WORDS =
  "granite marble layer quarry stone face bench drill wedge cut block yard crane rail dust saw water slab grain seam vein depth wall floor".split(
    " ",
  );
const LINKS_PER_PAGE = 20;
const DEFAULT_PARAGRAPHS = 8;

/** `pages` pages at /page/0 … that reach each other in some steps from the first. */
export function generatePage(
  target: string,
  pages: number,
  paragraphCount = DEFAULT_PARAGRAPHS,
): Buffer | undefined {
  const number = Number(/^\/page\/(\d+)$/.exec(target)?.[1] ?? Number.NaN);
  if (!(number < pages)) return undefined;
  // The steps of a linear congruence: the same page at every request, none like another.
  let state = number + 1;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const text = (words: number): string =>
    Array.from({ length: words }, () => WORDS[next(WORDS.length)]).join(" ");
  const link = (to: number): string => `<li><a href="/page/${to}">Face ${to} ${text(2)}</a></li>`;
  const down = Array.from(
    { length: LINKS_PER_PAGE / 2 },
    (_, index) => number * (LINKS_PER_PAGE / 2) + index + 1,
  );
  const across = Array.from({ length: LINKS_PER_PAGE / 2 }, () => next(pages));
  const links = [...down, ...across].filter((to) => to < pages).map(link);
  const paragraphs = Array.from(
    { length: paragraphCount },
    (_, index) => `<p>Face ${number}, part ${index}: ${text(40)}.</p>`,
  );
  const title = `Face ${number} ${text(3)}`;
  return Buffer.from(
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><a href="/page/0">Start</a></nav>` +
      `<main><h1>${title}</h1>${paragraphs.join("")}<ul>${links.join("")}</ul></main></body></html>`,
  );
}
