// Records what a viewer does as steps that can be repeated as actions or code.
import type { CDPSession } from "playwright-core";
import { buildSelectorScript, evaluateIsolated, IS_PASSWORD } from "./isolated-script.ts";
import type { RecordedStep, ScreenInput } from "../contract/session/screen.ts";
import { toWebAddress } from "./screen-input.ts";

export type StepContext = {
  readonly cast: CDPSession | undefined;
  readonly size: { readonly width: number; readonly height: number };
};

const MAX_STEPS = 200;
/** The input waits for it: without an answer the step is lost, so a busy page gets some time. */
const MAX_LOOKUP_MS = 2_000;
/** Keys that change the meaning of others and are no step alone. */
const MODIFIERS = /^(?:Shift|Control|Alt|Meta|AltGraph|CapsLock|NumLock|Dead|Unidentified)$/;

export class StepRecorder {
  #steps: RecordedStep[] = [];
  #held = new Set<string>();
  isOn = false;

  get steps(): readonly RecordedStep[] {
    return this.#steps;
  }

  /** Starts or goes on, with the open page as the first step. */
  start(url: string): void {
    this.isOn = true;
    if (this.#steps.length === 0 && url !== "about:blank") this.#add({ type: "open", url });
  }

  forget(): void {
    this.#steps = [];
  }

  /** Returns true if a step was added or changed. Call before the input reaches the page. */
  async note(input: ScreenInput, { cast, size }: StepContext): Promise<boolean> {
    if (input.type === "keyup") this.#held.delete(input.key);
    if (!this.isOn) return false;
    if (input.type === "open") {
      const url = toWebAddress(input.url)?.href;
      return url !== undefined && this.#add({ type: "open", url });
    }
    if (input.type === "wheel" && input.dy !== 0) return this.#scroll(input.dy > 0 ? "down" : "up");
    if (input.type === "down" && input.button === "left" && cast !== undefined) {
      const script = buildSelectorScript(input.x * size.width, input.y * size.height);
      const selector = await evaluateIsolated(cast, script, MAX_LOOKUP_MS);
      if (typeof selector !== "string" || selector === "" || selector.length > 1_000) return false;
      return this.#add({ type: "click", selector });
    }
    if (input.type === "insert") return await this.#write(input.text, cast);
    if (input.type === "keydown") return await this.#press(input.key, cast);
    return false;
  }

  async #press(key: string, cast: CDPSession | undefined): Promise<boolean> {
    if (MODIFIERS.test(key)) {
      this.#held.add(key);
      return false;
    }
    const held = [...this.#held].filter((one) => one !== "Shift");
    if (/^.$/u.test(key) && held.length === 0) return await this.#write(key, cast);
    return this.#add({ type: "press", key: [...this.#held, key].join("+") });
  }

  /** Typed characters are one step, unless the page moves the focus to or from a password. */
  async #write(text: string, cast: CDPSession | undefined): Promise<boolean> {
    // A page that does not respond may have the focus in a password.
    const isSecret =
      cast === undefined || (await evaluateIsolated(cast, IS_PASSWORD, MAX_LOOKUP_MS)) !== false;
    const last = this.#steps.at(-1);
    if (last?.type !== "write" || last.isSecret !== isSecret)
      return this.#add({ type: "write", text: isSecret ? "" : text, isSecret });
    if (!isSecret) this.#steps[this.#steps.length - 1] = { ...last, text: last.text + text };
    return true;
  }

  #scroll(direction: "up" | "down"): boolean {
    const last = this.#steps.at(-1);
    if (last?.type === "scroll" && last.direction === direction) return false;
    return this.#add({ type: "scroll", direction });
  }

  #add(step: RecordedStep): boolean {
    if (this.#steps.length >= MAX_STEPS) return false;
    this.#steps.push(step);
    return true;
  }
}
