// Markdown as tokens in reading order, and their text and links.
import { lexer as lex, type Token, type Tokens } from "marked";

/** Deeper than Quarry writes quotes and lists; the lexer is quadratic in the depth. */
const TOO_DEEP = /^[ \t]*(?:(?:[>*+-][ \t]){30}|>{30})/m;

/** Returns no tokens for Markdown that is nested too deep. */
export const tokenize = (markdown: string): readonly Token[] =>
  TOO_DEEP.test(markdown) ? [] : lex(markdown);

/** Walks tokens in reading order without recursion. */
export function* walk(tokens: readonly Token[]): Generator<Token> {
  const stack = [...tokens].toReversed();
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    yield token;
    const inner: Token[] = [];
    if (token.type === "list") inner.push(...(token as Tokens.List).items);
    else if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [...header, ...rows.flat()]) inner.push(...cell.tokens);
    } else if ("tokens" in token && token.tokens !== undefined) inner.push(...token.tokens);
    for (const child of inner.toReversed()) stack.push(child);
  }
}

export function listLinks(tokens: readonly Token[]): string[] {
  const links: string[] = [];
  for (const token of walk(tokens))
    if (token.type === "link") links.push((token as Tokens.Link).href);
  return links;
}

export function toPlainText(tokens: readonly Token[]): string {
  let text = "";
  for (const token of walk(tokens)) {
    if (token.type === "br") text += " ";
    const isLeaf = !("tokens" in token) || token.tokens === undefined;
    if (isLeaf && /^(?:text|codespan|escape)$/.test(token.type))
      text += (token as Tokens.Text).text;
  }
  return fold(text);
}

export const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

export const listLinkTokens = (token: Token): Token[] =>
  [...walk([token])].filter(({ type }) => type === "link");
