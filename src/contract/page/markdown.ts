// Options for writing a page's Markdown and for cutting it into chunks.
import { z } from "zod";

const chunksSchema = z
  .strictObject({
    tokens: z.int().min(50).max(100_000).default(500).describe("Maximum tokens of a chunk."),
    overlap: z
      .int()
      .min(0)
      .max(50_000)
      .default(0)
      .describe(
        "Tokens of the end of a chunk that the next one repeats, at most half of tokens. Nothing is repeated across headings that start a chunk.",
      ),
    byHeading: z.boolean().default(true).describe("Start a new chunk at each heading."),
  })
  .superRefine(({ tokens, overlap }, context) => {
    if (overlap > tokens / 2)
      context.addIssue({
        code: "custom",
        path: ["overlap"],
        message: `markdown.chunks.overlap is ${overlap}; the most is half of markdown.chunks.tokens, ${Math.floor(tokens / 2)}`,
      });
  });

/** Options of the markdown format. */
export const markdownOptionsSchema = z
  .strictObject({
    links: z
      .enum(["inline", "reference", "text", "none"])
      .default("inline")
      .describe(
        "reference lists the targets at the end, text keeps the text of links only, none leaves out links with their text (not in headings).",
      ),
    images: z
      .enum(["all", "alt", "none"])
      .default("all")
      .describe("alt keeps the descriptions only."),
    linkTitles: z.boolean().default(false).describe("Write the titles of links and images."),
    firstHeadingLevel: z
      .int()
      .min(1)
      .max(6)
      .optional()
      .describe("Level of the first heading; the others move with it."),
    headingAnchors: z
      .boolean()
      .default(false)
      .describe("Write the id of a heading behind it, as {#id}."),
    frontMatter: z
      .boolean()
      .default(false)
      .describe("Start with title, URL, description, author, dates and language as YAML."),
    maxTokens: z
      .int()
      .min(50)
      .max(1_000_000)
      .optional()
      .describe(
        "Maximum tokens of the Markdown; a warning names the full size of Markdown that was cut.",
      ),
    chunks: chunksSchema.optional().describe("Also return the Markdown in chunks."),
  })
  .superRefine((options, context) => {
    for (const field of ["maxTokens", "chunks"] as const)
      if (options.links === "reference" && options[field] !== undefined)
        context.addIssue({
          code: "custom",
          path: ["links"],
          message: `markdown.links: reference cannot be combined with markdown.${field}, whose parts would lose the targets`,
        });
  });

export type MarkdownOptions = z.output<typeof markdownOptionsSchema>;
export type ChunkOptions = z.output<typeof chunksSchema>;

export const markdownChunkSchema = z
  .looseObject({
    index: z.int(),
    text: z.string(),
    tokens: z.int(),
    path: z.array(z.string()).describe("Headings above the chunk, outermost first."),
    fragment: z
      .string()
      .optional()
      .describe("Fragment of the last of these headings that has one."),
    url: z.string().describe("URL of the page, with the fragment."),
    start: z.int().describe("Start of the chunk in markdown, in UTF-16 code units."),
    end: z.int(),
  })
  .describe("A part of the Markdown. A split table repeats its head, split code its fence.");

export type MarkdownChunk = z.output<typeof markdownChunkSchema>;
