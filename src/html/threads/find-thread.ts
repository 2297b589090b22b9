// Reads the posts of a thread with author, time and text. Forum software puts them into the same
// elements on every site; thread-software.json lists these.
import { compile } from "css-select";
import { type Element, isTag, isText, type ParentNode } from "domhandler";
import {
  readAttribute,
  findElement,
  foldSpace,
  hasText,
  getNextNode,
  readText,
} from "../parse/tree.ts";
import { readAttributeDate, cleanTime } from "./post-time.ts";
import type { PostMarkup, ThreadSoftware } from "./thread-software.ts";

export type Post = {
  readonly author: string;
  /** As the page shows it; an ISO date where that is relative. "" if unknown. */
  readonly time: string;
  readonly votes: number | undefined;
  readonly isAccepted: boolean;
  readonly body: Element;
  readonly comments: readonly Post[];
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
  readonly comments: Reader | undefined;
};

const matchNever: Test = () => false;
export const toTest = (selector: string | undefined): Test =>
  selector === undefined ? matchNever : compile<Element, Element>(selector);

const readers = new Map<PostMarkup, Reader>();

function createReader(of: PostMarkup & Pick<ThreadSoftware, "title" | "comments">): Reader {
  let reader = readers.get(of);
  if (reader === undefined) {
    const toCandidates = (selectors: readonly string[] = []): Candidate[] =>
      selectors.map((text) => {
        const [selector = "", attribute] = text.split("@");
        return { matches: selector === "" ? matchNever : toTest(selector), attribute };
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
      comments: of.comments && createReader(of.comments),
    };
    readers.set(of, reader);
  }
  return reader;
}

/** Minimum share of posts with an author. */
const MIN_AUTHOR_SHARE = 0.5;

/** Reads the thread of a page of this software. Undefined for pages without posts. */
export function readThread(root: ParentNode, of: ThreadSoftware): Thread | undefined {
  const reader = createReader(of);
  const posts = readPosts(root, reader);
  const named = posts.filter(({ author }) => author !== "").length;
  if (posts.length === 0 || named < posts.length * MIN_AUTHOR_SHARE) return undefined;
  const title = findElement(root, reader.isTitle);
  return { software: of, title: title !== undefined && hasText(title) ? title : undefined, posts };
}

function readPosts(root: ParentNode, reader: Reader): Post[] {
  const posts: Post[] = [];
  let node = getNextNode(root, root);
  while (node !== null) {
    const isPost = isTag(node) && reader.isPost(node);
    if (isPost && isTag(node)) {
      const post = readPost(node, reader);
      if (post !== undefined) posts.push(post);
    }
    node = getNextNode(node, root, isPost);
  }
  return posts;
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
  let node = getNextNode(post, post);
  while (node !== null) {
    if (isTag(node)) visit(node);
    // A post's text has no facts about the post.
    node = getNextNode(node, post, node === found.body.element);
  }
  const body = findInnerBody(found.body, reader.body);
  if (body === undefined) return undefined;
  const author = findValue(found.author, reader.author, post, matchNever);
  const votes = Number.parseInt(findValue(found.votes, reader.votes, post, matchNever), 10);
  return {
    author,
    time: findTime(found.time, reader, post),
    votes: Number.isNaN(votes) ? undefined : votes,
    isAccepted,
    body,
    comments: reader.comments === undefined ? [] : readPosts(post, reader.comments),
  };
}

/** Returns the element of a better candidate inside the body that was found, or that body. */
function findInnerBody(
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

const MAX_VALUE_CHARACTERS = 300;

function findValue(
  { rank, element }: PostParts["author"],
  candidates: readonly Candidate[],
  post: Element,
  without: Test,
): string {
  // The last candidate may be an attribute of the post itself.
  const own = candidates.find(({ matches }) => matches === matchNever)?.attribute;
  if (element === undefined) return own === undefined ? "" : foldSpace(readAttribute(post, own));
  const { attribute } = candidates[rank]!;
  if (attribute !== undefined) return foldSpace(readAttribute(element, attribute));
  return foldSpace(readTextWithout(element, without)).slice(0, MAX_VALUE_CHARACTERS);
}

function findTime(found: PostParts["time"], reader: Reader, post: Element): string {
  const text = cleanTime(findValue(found, reader.time, post, reader.timeWithout));
  return readAttributeDate(text, found.element && readAttribute(found.element, "datetime")) ?? text;
}

function readTextWithout(element: Element, isLeftOut: Test): string {
  if (isLeftOut === matchNever) return readText(element, MAX_VALUE_CHARACTERS);
  let text = "";
  let isSkipped = false;
  for (
    let node = getNextNode(element, element);
    node !== null && text.length < MAX_VALUE_CHARACTERS;
    node = getNextNode(node, element, isSkipped)
  ) {
    isSkipped = isTag(node) && isLeftOut(node);
    if (isText(node)) text += node.data;
  }
  return text;
}
