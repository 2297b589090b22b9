import { LimitError } from "../../errors.ts";

/** The entry exists, but its body's store does not answer. */
export class UnreadableCapture extends LimitError {
  constructor(cause: unknown) {
    const message = "The cached page cannot be read right now: its store does not answer.";
    super("UNAVAILABLE", message, { cause, retryAfterMs: 1_000 });
  }
}
