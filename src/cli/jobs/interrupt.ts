// Handles Ctrl-C during a long job: the server owns the job, so leaving the command and cancelling
// the job are different.

export type InterruptChoice = "cancel" | "leave" | "go on";

const INTERRUPT = "\u0003";

/**
 * Asks with one key what to do with the job. A second Ctrl-C, or no terminal, leaves it running.
 */
export async function askInterruptChoice(
  noun: string,
  input: NodeJS.ReadStream = process.stdin,
  output: Pick<NodeJS.WriteStream, "write"> = process.stderr,
): Promise<InterruptChoice> {
  if (!input.isTTY) return "leave";
  output.write(`Cancel the ${noun} (c), leave it running (l), or go on watching (Enter)? `);
  input.setRawMode(true);
  input.resume();
  try {
    for (;;) {
      const wish = toInterruptChoice(await readKey(input));
      if (wish === undefined) continue;
      output.write(`${wish}\n`);
      return wish;
    }
  } finally {
    input.setRawMode(false);
    input.pause();
  }
}

async function readKey(input: NodeJS.ReadStream): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const onData = (data: Buffer | string): void => resolve(data.toString());
  const onEnd = (): void => resolve("l");
  input.once("data", onData);
  input.once("end", onEnd);
  const key = await promise;
  input.off("data", onData);
  input.off("end", onEnd);
  return key;
}

/** Returns the meaning of a key; undefined for other keys. */
export function toInterruptChoice(key: string): InterruptChoice | undefined {
  switch (key.toLowerCase()) {
    case "c":
      return "cancel";
    case "l":
    case "q":
    case INTERRUPT:
      return "leave";
    case "\r":
    case "\n":
    case "\u001b":
      return "go on";
    default:
      return undefined;
  }
}
