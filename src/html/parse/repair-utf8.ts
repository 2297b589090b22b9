// Repairs UTF-8 that was decoded as windows-1252, which browsers assume for pages that declare no
// encoding (https://html.spec.whatwg.org/#determining-the-character-encoding).

/** Characters of bytes 80 to 9F (https://encoding.spec.whatwg.org/#windows-1252). */
const HIGH = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const BYTES = new Map(Array.from(HIGH, (character, at) => [character.charCodeAt(0), 0x80 + at]));
const toByte = (code: number): number | undefined =>
  code >= 0xa0 && code <= 0xff ? code : BYTES.get(code);

/** Runs of characters that such bytes become. */
const RUNS = new RegExp(`[\\u00a0-\\u00ff${HIGH}]+`, "g");

/**
 * Returns the text as UTF-8 would have given it, or undefined if it was not UTF-8: fewer than nine
 * of ten runs are. Characters that were decoded correctly, such as those of scripts, stay.
 */
export function repairUtf8(text: string): string | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [right, wrong] = [0, 0];
  const repaired = text.replaceAll(RUNS, (run) => {
    const bytes = Uint8Array.from(run, (character) => toByte(character.charCodeAt(0)) ?? 0x3f);
    try {
      const decoded = decoder.decode(bytes);
      right++;
      return decoded;
    } catch {
      wrong++;
      return run;
    }
  });
  return right > 0 && right >= wrong * 9 ? repaired : undefined;
}
