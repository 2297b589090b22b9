/** A value that must not be printed: shown as *** in logs, JSON and templates. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return "***";
  }
  toJSON(): string {
    return "***";
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "***";
  }
}
