import type { MarkdownOptions } from "../contract/page/markdown.ts";
import type { Document } from "../contract/page/document.ts";
import type { TopBlock } from "../html/markdown/block-writer.ts";
import type { toMarkdownBlocks as ToMarkdownBlocks } from "../html/markdown/markdown.ts";
import type { FormatDeclaration } from "./format.ts";
import { writeFrontMatter } from "./markdown/front-matter.ts";
import { BETWEEN_BLOCKS, chunkBlocks, cutBlocks } from "./markdown/markdown-chunks.ts";
import { buildFileMarkdown } from "./page/parsed-file.ts";
import type { PageView } from "./page/view.ts";

/** The content as Markdown, and in chunks if the options ask for them. */
export const markdown: FormatDeclaration<"markdown"> = {
  name: "markdown",
  needs: [],
  blank: { markdown: "" },
  derive: async () => {
    const { toMarkdown, toMarkdownBlocks } = await import("../html/markdown/markdown.ts");
    return (view) => {
      const { file, markdown: options } = view.input;
      if (options !== undefined) return buildShapedMarkdown(view, options, toMarkdownBlocks);
      if (file !== undefined) return { markdown: buildFileMarkdown(file) };
      if (!view.hasTree()) return { markdown: readPlainText(view) };
      return { markdown: toMarkdown(view.getContent().root, buildTreeOptions(view)) };
    };
  },
};

const buildTreeOptions = (view: PageView) => ({
  base: view.getBase(),
  page: view.input.url,
  removeBase64Images: view.input.removeBase64Images,
  linkTitles: false,
});

function buildShapedMarkdown(
  view: PageView,
  options: MarkdownOptions,
  toMarkdownBlocks: typeof ToMarkdownBlocks,
): Pick<Document, "markdown" | "chunks"> {
  if (view.input.file?.pageMarkers === true)
    view.warnings.push("pageMarkers are left out where the option markdown is given.");
  const all: TopBlock[] = view.hasTree()
    ? toMarkdownBlocks(view.getContent().root, {
        ...buildTreeOptions(view),
        ...options,
        anchors: chooseAnchors(options),
        foundAnchors: view.getAnchors(),
      })
    : [{ kind: isFenced(view) ? "code" : "paragraph", text: readPlainText(view) }];
  const front = options.frontMatter ? `${buildFrontMatter(view)}\n` : "";
  const blocks = cut(view, all, front, options.maxTokens);
  const text = `${front}${join(blocks)}`;
  if (options.chunks === undefined) return { markdown: text };
  const page = { url: view.input.url, offset: front.length };
  return { markdown: text, chunks: chunkBlocks(blocks, options.chunks, page, view.getTokenizer()) };
}

const join = (blocks: readonly TopBlock[]): string =>
  blocks.map(({ text }) => text).join(BETWEEN_BLOCKS);

function chooseAnchors({
  headingAnchors,
  chunks,
}: MarkdownOptions): "written" | "known" | undefined {
  if (headingAnchors) return "written";
  return chunks === undefined ? undefined : "known";
}

function cut(
  view: PageView,
  blocks: readonly TopBlock[],
  front: string,
  max: number | undefined,
): readonly TopBlock[] {
  if (max === undefined) return blocks;
  const tokenizer = view.getTokenizer();
  const total = tokenizer.countTokens(front + join(blocks));
  if (total <= max) return blocks;
  const kept = cutBlocks(blocks, Math.max(1, max - tokenizer.countTokens(front)), tokenizer);
  view.warnings.push(
    `The Markdown was cut to ${tokenizer.countTokens(front + join(kept))} of ${total} tokens (markdown.maxTokens ${max}).`,
  );
  return kept;
}

/** Names of the page's metadata, and of the lines of the front matter. */
const FRONT_FIELDS = [
  ["title", "title"],
  ["description", "description"],
  ["author", "author"],
  ["publishedTime", "date"],
  ["modifiedTime", "modified"],
  ["language", "language"],
] as const;

function buildFrontMatter(view: PageView): string {
  const metadata = view.hasTree() ? view.getMetadata() : {};
  const fields: Record<string, unknown> = { url: view.input.url };
  for (const [name, shown] of FRONT_FIELDS) {
    const value = [metadata[name]].flat()[0];
    if (value !== undefined && value !== "") fields[shown] = value;
  }
  return writeFrontMatter(fields);
}

const isFenced = ({ kind }: PageView): boolean => kind === "json" || kind === "xml";

/** The text of a body that is not HTML. */
function readPlainText(view: PageView): string {
  switch (view.kind) {
    case "json":
      // Exactly the body between the fences, because callers parse it back (wire contract, output
      // formats).
      return `\`\`\`json\n${view.text}\n\`\`\``;
    case "xml":
      return fenceCode(view.text, "xml");
    case "pdf":
      return Buffer.from(view.input.body).toString("base64");
    default:
      return view.text;
  }
}

/** Returns a fence longer than any run of backticks inside (CommonMark, fenced code blocks). */
function fenceCode(text: string, language: string): string {
  let longest = 2;
  for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
