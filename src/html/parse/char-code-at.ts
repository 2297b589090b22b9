// Looking at the texts of pages. They are of so many kinds within the engine (cut out of the source or not, of one byte or two) that
// it looks up each property anew whenever one of them is asked for it, which costs more than the answer: a third of cutting a
// page into blocks.

/** The character of a text at one of its places. Asked for a place that is none, the engine gives up its shortest way for all. */
export const codeAt = (text: string, at: number): number =>
  String.prototype.charCodeAt.call(text, at);

/** How long a text is: the engine knows what it has to look at where texts are put together. */
export const lengthOf = (text: string): number => (text + "").length;

export const beginsWith = (text: string, code: number): boolean =>
  lengthOf(text) > 0 && codeAt(text, 0) === code;

export function endsWith(text: string, code: number): boolean {
  const last = lengthOf(text) - 1;
  return last >= 0 && codeAt(text, last) === code;
}
