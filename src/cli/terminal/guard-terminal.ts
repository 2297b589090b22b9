// Terminals obey escape sequences, and page text may contain them: they move the cursor, rename the
// window, fill the clipboard. On a terminal they are displayed instead of sent. Files and pipes get
// every byte.

type TerminalStream = Pick<NodeJS.WriteStream, "isTTY" | "write">;

/** Colors and weights this program uses; none hides text. */
const STYLES = String.raw`\u001b\[(?:0|1|2|3|4|22|23|24|3[0-7]|39|9[0-7])m`;
/** Sequences for progress on standard error: line start, up, erase, show or hide the cursor. */
const PROGRESS = String.raw`\r|\u001b\[(?:\d{0,3}[AGJK]|\?25[hl])`;
/** C0 except tab and line feed, DEL, C1, and text direction controls. */
const CONTROL = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

const IN_OUTPUT = new RegExp(`(\\r\\n|${STYLES})|${CONTROL}`, "g");
const IN_PROGRESS = new RegExp(`(\\r\\n|${STYLES}|${PROGRESS})|${CONTROL}`, "g");
const IN_FOREIGN_TEXT = new RegExp(`(\\r\\n)|${CONTROL}`, "g");

/** Prepares page text for a terminal: control characters become symbols; lines and tabs stay. */
export function toTerminalText(text: string): string {
  return text.replace(IN_FOREIGN_TEXT, showControl);
}

/**
 * Makes terminal streams display control characters. Styles pass, and progress passes on standard
 * error.
 */
export function guardTerminal(stdout: TerminalStream, stderr: TerminalStream): void {
  guard(stdout, IN_OUTPUT);
  guard(stderr, IN_PROGRESS);
}

function guard(stream: TerminalStream, pattern: RegExp): void {
  if (!stream.isTTY) return;
  const write = stream.write.bind(stream) as (...all: unknown[]) => boolean;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    return write(text.replace(pattern, showControl), ...rest);
  }) as typeof stream.write;
}

/** C0 has symbols (U+2400 to U+2421); the rest becomes U+FFFD. */
function showControl(found: string, kept: string | undefined): string {
  if (kept !== undefined) return kept;
  const code = found.charCodeAt(0);
  if (code < 32) return String.fromCharCode(0x2400 + code);
  return code === 127 ? "\u2421" : "\ufffd";
}
