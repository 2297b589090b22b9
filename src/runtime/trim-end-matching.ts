/**
 * Trims trailing characters that match `pattern`, in linear time. An expression such as `/\.+$/` is
 * quadratic: it starts again at each place of a run.
 */
export function trimEndMatching(text: string, pattern: RegExp): string {
  let end = text.length;
  while (end > 0 && pattern.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
