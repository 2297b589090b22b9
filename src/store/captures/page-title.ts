// Title and description of a page, stored beside its document.

export type PageTitle = { readonly title: string | null; readonly description: string | null };

const MAX_CHARACTERS = { title: 300, description: 500 } as const;

/** Returns title and description of a document, cut to 300 and 500 characters; null if missing. */
export function readPageTitle(document: unknown): PageTitle {
  const { title, description } = (document as { metadata?: Record<string, unknown> } | undefined)
    ?.metadata ?? { title: undefined, description: undefined };
  return {
    title: cut(title, MAX_CHARACTERS.title),
    description: cut(description, MAX_CHARACTERS.description),
  };
}

function cut(text: unknown, max: number): string | null {
  if (typeof text !== "string") return null;
  const kept = text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
  return kept === "" ? null : kept;
}
