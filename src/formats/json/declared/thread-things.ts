// The thread of a page of known forum software as a thing: its title, and a record for each post.
import { type ChildNode, type Document, type Element, isTag, isText } from "domhandler";
import { readPageHints } from "../../../html/evidence/page-hints.ts";
import { findPageThread } from "../../../html/generators/find-page-thread.ts";
import { describePath, foldSpace, readText } from "../../../html/parse/tree.ts";
import { type Post, type Thread, toTest } from "../../../html/threads/find-thread.ts";
import { isBreaking, isInvisible } from "./block-text.ts";
import { shorten, toLeaf, type Thing, type Value } from "./finding.ts";

/** Returns the thread of a page as one thing with its posts, or none. */
export function findThreadThings(document: Document): Thing[] {
  const thread = findPageThread(document, readPageHints(document).generator);
  return thread === undefined ? [] : [toThing(thread)];
}

function toThing({ software, title, posts }: Thread): Thing {
  const reader = new PostReader(software.drop, software.quote);
  const things = posts.map((post) => reader.read(post));
  const [first] = things;
  const fields = new Map<string, readonly Value[]>(first?.fields);
  if (title !== undefined)
    fields.set("headline", [
      toLeaf(foldSpace(readText(title)), { source: "thread", selector: describePath(title) }),
    ]);
  fields.set("posts", things);
  if (things.length > 1)
    for (const name of ["replies", "answers"]) fields.set(name, things.slice(1));
  const evidence = { source: "thread", text: `${things.length} posts` } as const;
  const types = ["DiscussionForumPosting"];
  return { kind: "thing", source: "thread", types, fields, evidence };
}

/** An answer without the post that it quotes first; a post of quotations alone stays. */
const dropLeadingQuote = (text: string): string =>
  text.replace(/^(?:>.*\n)+(?=.*[^\s>])/u, "").trim() || text;

class PostReader {
  readonly #isDropped: (element: Element) => boolean;
  readonly #isQuote: (element: Element) => boolean;

  constructor(drop: string | undefined, quote: string | undefined) {
    this.#isDropped = toTest(drop);
    this.#isQuote = toTest(quote);
  }

  read(post: Post): Thing {
    const selector = describePath(post.body);
    const fields = new Map<string, readonly Value[]>();
    const add = (value: string | number | boolean | undefined, ...names: string[]): void => {
      if (value === undefined || value === "") return;
      const leaf = toLeaf(value, { source: "thread", selector });
      for (const name of names) fields.set(name, [leaf]);
    };
    const text = this.#readLines(post.body).join("\n");
    add(post.author, "author");
    add(post.time, "date published", "time", "date");
    add(post.votes, "votes", "score", "upvotes");
    add(post.isAccepted || undefined, "accepted", "is accepted");
    add(dropLeadingQuote(text), "text", "message");
    if (post.comments.length > 0)
      fields.set(
        "comments",
        post.comments.map((comment) => this.read(comment)),
      );
    const evidence = { source: "thread", selector, text: shorten(text) } as const;
    return { kind: "thing", source: "thread", types: ["Comment"], fields, evidence };
  }

  /** Lines of a post. Those of a quotation begin with "> ", as in Markdown. */
  #readLines(body: Element): string[] {
    const lines: string[] = [];
    let line = "";
    let quotes = 0;
    let isCode = false;
    const end = (): void => {
      const text = isCode ? line.trimEnd() : foldSpace(line);
      if (text !== "") lines.push("> ".repeat(quotes) + text);
      line = "";
    };
    const visit = (node: ChildNode): void => {
      if (isText(node)) {
        const [first = "", ...rest] = isCode ? node.data.split("\n") : [node.data];
        line += first;
        for (const next of rest) {
          end();
          line = next;
        }
      }
      if (!isTag(node) || isInvisible(node) || this.#isDropped(node)) return;
      const isQuote = node.name === "blockquote" || this.#isQuote(node);
      const isBlock = isQuote || isBreaking(node.name);
      if (isBlock) end();
      if (isQuote) quotes++;
      const isOuter = isCode;
      isCode ||= node.name === "pre";
      for (const child of node.children) visit(child);
      if (isBlock) end();
      isCode = isOuter;
      if (isQuote) quotes--;
    };
    for (const child of body.children) visit(child);
    end();
    return lines;
  }
}
