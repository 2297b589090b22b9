import { foldSpace } from "../parse/tree.ts";

const LEAD =
  /^[\s,:|•·–-]*(?:(?:(?:written|posted|published|reviewed|updated|created|submitted|words|story|text|recipe|articles?|posts|all posts|view all posts|geschrieben|verfasst|erstellt|eingestellt|veröffentlicht|publiziert|alles|beiträge|publié|rédigé|escrito|publicado|scritto)\s+)?(?:by|von|par|por|di|door|av|af|przez|od)(?=\s|:)|(?:authors?|autor|autoren|autorin|auteurs?|autore|text|text (?:&|und) fotos?|redaktion|by|von|verfasser|авторы?|текст|作者|文|記者|记者|編集|责任编辑|글|投稿者|執筆者?|نویسنده|الكاتب|المؤلف|כותב|מחבר|लेखक|ผู้เขียน|tác giả|yazar|penulis)\s*[:：]|(?:بقلم|كتبه?|كتبت|به قلم|מאת|โดย|द्वारा|投稿者|執筆者?|取材・文|bởi|oleh)\s|author\s+(?=\p{Lu}))\s*[:：]?\s*/iu;
const CUT =
  /\s+[|•·–—/»]\s*|\s+-\s+|\s*\(|\s*[|•·»]|\s+(?:on|am|le|el|in|at|um)\s+(?=\p{L}*\.?,?\s*\d|(?:january|february|feb|march|july|aug|august|sept?|september|oct|october|nov|november|dec|december|januar|februar|märz|juli|oktober|dezember)\b)|,?\s+(?:last\s+)?(?:updated|published|posted|aktualisiert|veröffentlicht|read more|min read|minute|follow|share)\b|\s*,?\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:mon|tue|wed|thu|fri|sat|sun),|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\d{1,2}[./]|\d)/iu;
/** Job titles directly after a name: "Jane Doe Staff Writer". */
const TRADE =
  /\s+(?:(?:senior|staff|contributing|managing|chief|head|lead|executive|associate|expert|freelance|guest|news|politics|business|sports|science|technology|marketing|content)\s+)*(?:editor|writer|reporter|correspondent|contributor|journalist|director|manager|reviewer|strategist|columnist|(?:chef)?redakteur(?:in)?)(?:\s*[,&].*|\s+at\s.*)?$/i;
const ROLE =
  /,\s*(?:[^,]*\b(?:editor|writer|reporter|correspondent|contributor|author|staff|journalist|ceo|cto|founder|director|manager|freelance|redakteur|redaktion|redakteurin|chef|senior|specialist|strategist|attorney)\b).*$/i;
/** "Reporter" behind a name in Korean, Japanese and Chinese. */
export const REPORTER = /\s*(?:기자|특파원|논설위원|記者|记者|編集委員)$/u;
/** Names in scripts without capitals, which may be as short as two characters. */
const WHOLE_NAMES = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;
const NOT_A_NAME =
  /https?:|www\.|^[^\p{L}]*$|[{}<>]|^(?:last|jan|mar|apr|may|jun|jul|sep|von|par|por|sort|filter|brand|featured|categories|category|price|relevance|set descending direction|get app|author|by|admin(?:istrator)?|editor|home|menu|share|posts?|login|unknown|anonymous|guest|user|username|null|undefined|none|n\/a|about|contact|more|redaktion|written|published|posted|updated|date|auteur|autor|veröffentlicht|publiziert|geschrieben|verfasst|publié|sun|mon|tue|wed|thu|fri|sat|january|february|feb|march|july|aug|august|sept?|september|oct|october|nov|november|dec|december|januar|februar|märz|juli|oktober|dezember)\.?$|copyright|©|all rights|view all|view more|read more|full bio$|author archive|\brss\b|^(?:twitter|facebook|instagram|linkedin|bluesky|mastodon|youtube|tiktok|x)(?:\s|$)|übersicht$|^(?:staff|opinion|senior|guest)?\s*(?:writer|contributor|reporter|columnist|correspondent)$|\bmin(?:ute)?s? read\b|posts by|subscribe|cookie|sign in|sign up|log ?in\b|\bjoin or\b|zuletzt|geändert|^(?:編集部|編輯部|编辑部|編集者|管理者|관리자|편집국|редакция|администратор|админ|هيئة التحرير|المحرر|מערכת|ผู้ดูแลระบบ|サイト管理者|続きを読む|もっと見る|더보기|подробнее)$/iu;

/**
 * Cleans a declared author: drops addresses, emails and numbers, and a leading "by". Returns "" if
 * nothing is left.
 */
export function cleanDeclared(value: string): string {
  const name = foldSpace(value.replace(/<[^<>]{0,200}>/g, " "))
    .slice(0, 300)
    .replace(LEAD, "")
    .replace(/^@|^[\s,;]+|[\s,;]+$/g, "")
    .replace(REPORTER, "")
    .replace(/\s@\w+$/, "");
  if (
    name.length > 200 ||
    /^(?:https?:)?\/\/|^www\.|^null$|^undefined$|^\S+@\S+$|^[\d.,/]+$|^\w+(?:\.\w+){2,}$|^\d+ min(?:ute)?s? read$/i.test(
      name,
    )
  )
    return "";
  return name;
}

/** Returns the names in a byline ("By Jane Doe, Staff Writer | May 3"), or "" if there is none. */
export function cleanByline(value: string): string {
  let text = foldSpace(value);
  if (text.length > 160) return "";
  text = text.replace(LEAD, "").replace(LEAD, "");
  // A single word may be a user name with digits; it cannot be cut further.
  if (/^[\p{L}][\p{L}\p{M}\d._-]{2,30}$/u.test(text) && !REPORTER.test(text))
    return NOT_A_NAME.test(text) ? "" : text;
  const cut = CUT.exec(text);
  if (cut !== null && cut.index > 0) text = text.slice(0, cut.index);
  text = text
    .replace(ROLE, "")
    .replace(/^&\s+|,\s*[Ff]ull [Bb]io$|\s+on\s+\p{Lu}\p{Ll}{2,8}$/gu, "")
    .replace(TRADE, (trade, at: number) => (text.slice(0, at).trim().includes(" ") ? "" : trade))
    .replace(/\s+(?:on|at|in|am|by|vor|[Hh]ace)$/, "")
    .replace(/[\s,;:|–-]+$/, "");
  if (/[\p{Ll}]{2}\.$/u.test(text)) text = text.slice(0, -1);
  text = text.replace(REPORTER, "");
  if (
    text.length < (WHOLE_NAMES.test(text) ? 2 : 3) ||
    text.length > 90 ||
    NOT_A_NAME.test(text) ||
    /\d{2}|[?!@]/.test(text)
  )
    return "";
  const count = text.split(" ").length;
  const parts = text.split(/,|\s(?:and|und|et|y|&)\s/).length;
  return count <= 4 * parts && count <= 14 ? text : "";
}
