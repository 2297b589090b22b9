/** Labels compare without case, outer punctuation and runs of blanks. */
export const foldLabel = (label: string): string =>
  label
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s:：.*•·|–—-]{1,10}/u, "")
    .slice(0, 200)
    .replace(/[\s:：.*•·|–—-]{1,10}$/u, "");
