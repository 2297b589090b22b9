// Reads the posts of a thread with author, time and text. Forum software puts them into the same
// elements on every site; thread-software.json lists these.
import { compile } from "css-select";
import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { attributeOf, findElement, foldSpace, hasText, nextNode, textOf } from "../parse/tree.ts";
import { dateOfAttribute, cleanTime } from "./post-time.ts";
import type { ThreadSoftware } from "./thread-software.ts";

export type Post = {
  readonly author: string;
  /** As the page shows it; an ISO date where that is relative. "" if unknown. */
  readonly time: string;
  readonly votes: number | undefined;
  readonly isAccepted: boolean;
  readonly body: Element;
};

export type Thread = {
  readonly software: ThreadSoftware;
  readonly title: Element | undefined;
  readonly posts: readonly Post[];
};

type Test = (element: Element) => boolean;
type Candidate = { readonly matches: Test; readonly attribute: string | undefined };
type Reader = {
  readonly isPost: Test;
  readonly isTitle: Test;
  readonly author: readonly Candidate[];
  readonly time: readonly Candidate[];
  readonly timeWithout: Test;
  readonly body: readonly Candidate[];
  readonly votes: readonly Candidate[];
  readonly accepted: readonly Candidate[];
};

const NEVER: Test = () => false;
export const toTest = (selector: string | undefined): Test =>
  selector === undefined ? NEVER : compile<Element, Element>(selector);

const readers = new Map<ThreadSoftware, Reader>();

function readerOf(of: ThreadSoftware): Reader {
  let reader = readers.get(of);
  if (reader === undefined) {
    const toCandidates = (selectors: readonly string[] = []): Candidate[] =>
      selectors.map((text) => {
        const [selector = "", attribute] = text.split("@");
        return { matches: selector === "" ? NEVER : toTest(selector), attribute };
      });
    reader = {
      isPost: toTest(of.post),
      isTitle: toTest(of.title ?? "h1"),
      author: toCandidates(of.author),
      time: toCandidates(of.time),
      timeWithout: toTest(of.timeWithout),
      body: toCandidates(of.body),
      votes: toCandidates(of.votes),
      accepted: toCandidates(of.accepted),
    };
    readers.set(of, reader);
  }
  return reader;
}

/** Minimum share of posts with an author. */
const MIN_AUTHOR_SHARE = 0.5;

/** Reads the thread of a page of this software. Undefined for pages without posts. */
export function readThread(root: ParentNode, of: ThreadSoftware): Thread | undefined {
  const reader = readerOf(of);
  const posts: Post[] = [];
  let node = nextNode(root, root);
  while (node !== null) {
    const isPost = isTag(node) && reader.isPost(node);
    if (isPost && isTag(node)) {
      const post = readPost(node, reader);
      if (post !== undefined) posts.push(post);
    }
    node = nextNode(node, root, isPost);
  }
  const named = posts.filter(({ author }) => author !== "").length;
  if (posts.length === 0 || named < posts.length * MIN_AUTHOR_SHARE) return undefined;
  const title = findElement(root, reader.isTitle);
  return { software: of, title: title !== undefined && hasText(title) ? title : undefined, posts };
}

/** Elements of a post found so far, one per field, with the rank of its candidate. */
type PostParts = Record<"author" | "time" | "body" | "votes", { rank: number; element?: Element }>;

function readPost(post: Element, reader: Reader): Post | undefined {
  const fields = ["author", "time", "body", "votes"] as const;
  const found: PostParts = {
    author: { rank: reader.author.length },
    time: { rank: reader.time.length },
    body: { rank: reader.body.length },
    votes: { rank: reader.votes.length },
  };
  let isAccepted = false;
  const visit = (element: Element): void => {
    for (const field of fields) {
      const best = found[field];
      for (let rank = 0; rank < best.rank; rank++)
        if (reader[field][rank]!.matches(element)) {
          best.rank = rank;
          best.element = element;
        }
    }
    isAccepted ||= reader.accepted.some(({ matches }) => matches(element));
  };
  visit(post);
  let node = nextNode(post, post);
  while (node !== null) {
    if (isTag(node)) visit(node);
    // A post's text has no facts about the post.
    node = nextNode(node, post, node === found.body.element);
  }
  const body = innerBody(found.body, reader.body);
  if (body === undefined) return undefined;
  const author = valueOf(found.author, reader.author, post, NEVER);
  const votes = Number.parseInt(valueOf(found.votes, reader.votes, post, NEVER), 10);
  return {
    author,
    time: timeOf(found.time, reader, post),
    votes: Number.isNaN(votes) ? undefined : votes,
    isAccepted,
    body,
  };
}

/** Returns the element of a better candidate inside the body that was found, or that body. */
function innerBody(
  { rank, element }: PostParts["body"],
  candidates: readonly Candidate[],
): Element | undefined {
  if (element !== undefined)
    for (const { matches } of candidates.slice(0, rank)) {
      const inner = findElement(element, matches);
      if (inner !== undefined) return inner;
    }
  return element;
}

const MAX_VALUE = 300;

function valueOf(
  { rank, element }: PostParts["author"],
  candidates: readonly Candidate[],
  post: Element,
  without: Test,
): string {
  // The last candidate may be an attribute of the post itself.
  const own = candidates.find(({ matches }) => matches === NEVER)?.attribute;
  if (element === undefined) return own === undefined ? "" : foldSpace(attributeOf(post, own));
  const { attribute } = candidates[rank]!;
  if (attribute !== undefined) return foldSpace(attributeOf(element, attribute));
  return foldSpace(textWithout(element, without)).slice(0, MAX_VALUE);
}

function timeOf(found: PostParts["time"], reader: Reader, post: Element): string {
  const text = cleanTime(valueOf(found, reader.time, post, reader.timeWithout));
  return dateOfAttribute(text, found.element && attributeOf(found.element, "datetime")) ?? text;
}

function textWithout(element: Element, isLeftOut: Test): string {
  if (isLeftOut === NEVER) return textOf(element, MAX_VALUE);
  let text = "";
  let isSkipped = false;
  for (
    let node = nextNode(element, element);
    node !== null && text.length < MAX_VALUE;
    node = nextNode(node, element, isSkipped)
  ) {
    isSkipped = isTag(node) && isLeftOut(node);
    if (isText(node)) text += node.data;
  }
  return text;
}
