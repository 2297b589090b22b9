/**
 * The text without the characters at its end that `sign` matches, in the time of their number: an expression such as `/\.+$/` tries
 * each run of them, wherever it stands, from each of its places.
 */
export function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
