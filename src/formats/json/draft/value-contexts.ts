// What converting a text of the page to a schema's type needs to know about the page.
import type { Findings } from "../declared/findings.ts";
import type { Name } from "../names/names.ts";
import type { CoerceContext } from "../values/coerce.ts";
import { completeDate } from "../values/partial-dates.ts";
import { listFullDates } from "../visible/page-dates.ts";

export class ValueContexts {
  readonly #findings: Findings;
  #dates: readonly string[] | undefined;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** The context for a property. */
  of({ words }: Name): CoerceContext {
    const { resolve, order } = this.#findings;
    return { resolve, order, words, completeDate: this.#completeDate };
  }

  readonly #completeDate = (text: string): string | undefined => {
    const { model, order } = this.#findings;
    if (model === undefined) return undefined;
    this.#dates ??= listFullDates(model);
    return completeDate(text, this.#dates, order);
  };
}
