import type { toMarkdown as ToMarkdown } from "../html/markdown/markdown.ts";
import type { FormatDeclaration } from "./format.ts";
import { fileMarkdown } from "./parsed-file.ts";
import type { PageView } from "./view.ts";

/** The content as Markdown. */
export const markdown: FormatDeclaration<"markdown"> = {
  name: "markdown",
  needs: [],
  blank: { markdown: "" },
  derive: async () => {
    const { toMarkdown } = await import("../html/markdown/markdown.ts");
    return (view) => ({
      markdown:
        view.input.file === undefined
          ? markdownOf(view, toMarkdown)
          : fileMarkdown(view.input.file),
    });
  },
};

function markdownOf(view: PageView, toMarkdown: typeof ToMarkdown): string {
  switch (view.kind) {
    case "html":
    case "feed":
      return toMarkdown(view.content().root, {
        base: view.base(),
        page: view.input.url,
        removeBase64Images: view.input.removeBase64Images,
      });
    case "json":
      // Exactly the body between the fences, because callers parse it back (wire contract, output
      // formats).
      return `\`\`\`json\n${view.text}\n\`\`\``;
    case "xml":
      return fenced(view.text, "xml");
    case "pdf":
      return Buffer.from(view.input.body).toString("base64");
    case "text":
    case "image":
    case "binary":
      return view.text;
  }
}

/** Returns a fence longer than any run of backticks inside (CommonMark, fenced code blocks). */
function fenced(text: string, language: string): string {
  let longest = 2;
  for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
