// Characters no reader sees: zero-width spaces, bidirectional controls, the Unicode tags block, control codes.
// Text hidden in them reaches a language model, so they are taken out of prose (code is left as it is).

// oxlint-disable-next-line no-control-regex -- control codes are what this looks for
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\uddff]/;
const INVISIBLE_ALL = new RegExp(INVISIBLE, "g");
/** Joiners shape Arabic, Indic scripts and emoji, so they stay between two characters that are not ASCII. */
const JOINER = /[\u200c\u200d]/;

/** The text without invisible characters; joiners that shape letters or emoji stay. */
export function withoutInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  return text.replace(INVISIBLE_ALL, (found, offset: number) =>
    JOINER.test(found) && isShaped(text, offset - 1) && isShaped(text, offset + 1) ? found : "",
  );
}

function isShaped(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code > 0xff && !INVISIBLE.test(text[index] ?? "");
}
