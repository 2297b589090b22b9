import type { References } from "./marks.ts";
import { toDestination } from "./target.ts";

/**
 * Targets of links by reference (CommonMark §6.3, full reference links). The labels are not plain
 * numbers, because "[1]" in the text of a page would become a link.
 */
export class LinkReferences implements References {
  readonly #labels = new Map<string, string>();

  getLabel(target: string, title: string): string {
    const destination = toDestination(target, title).slice(1, -1);
    const label = this.#labels.get(destination) ?? `link:${this.#labels.size + 1}`;
    this.#labels.set(destination, label);
    return label;
  }

  /** Returns the definitions, one per line; "" if no link was written. */
  write(): string {
    return [...this.#labels]
      .map(([destination, label]) => `[${label}]: ${destination === "" ? "<>" : destination}`)
      .join("\n");
  }
}
