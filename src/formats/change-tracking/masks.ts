// Masks text that changes without an edit: ages, counters, clocks, keys in links. All patterns are
// bounded, so that no page makes them slow.

/** Kind of a difference that is not an edit. */
export type NoiseKind = "whitespace" | "age" | "counter" | "clock" | "link" | "rotation";

export type MaskedLine = {
  /** Without whitespace, with masks in place of volatile text. */
  readonly key: string;
  readonly masks: readonly { readonly kind: NoiseKind; readonly text: string }[];
};

/** 7, 1,234, 1 234 567, 3.4k, 12+ */
const NUMBER = String.raw`(?<![\d.,])(?:\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}){1,4}|\d{1,12}(?:[.,]\d{1,2})?)(?:\s?(?:[kKmMbB]|tsd\.?|mio\.?|万|тыс\.?)(?![\p{L}\d]))?\+?`;

const UNITS = [
  "s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?|mo(?:nth)?s?|y(?:(?:ea)?rs?)?",
  "Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Monat(?:en?)?|Jahr(?:en?)?",
  "secondes?|minutes?|heures?|jours?|semaines?|mois|ans?",
  "segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|m[eê]s|años?|anos?",
  "second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]",
  "seconden|minuut|minuten|uur|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar",
  "секунд[уы]?|минут[уы]?|час(?:а|ов)?|д(?:ень|ня|ней)|недел[юиь]|месяц(?:а|ев)?|год(?:а)?|лет",
].join("|");

const AMOUNT = String.raw`(?:\d{1,4}|an?|one|a few|few|ein(?:em|er|en)?|un[ae]?|een)`;

const AGES: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:about |over |almost |less than )?${AMOUNT}\s?(?:${UNITS})(?:,? (?:and )?\d{1,2}\s?(?:${UNITS}))? (?:ago|atrás|fa|geleden|назад)(?![\p{L}\d])`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:vor|il y a|hace|há) (?:etwa |über |environ |unos |cerca de )?${AMOUNT}\s?(?:${UNITS})(?![\p{L}\d])`,
    "giu",
  ),
  /\d{1,4}\s?(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週間|か月|ヶ月|个月|個月|年)\s?前/gu,
  /\d{1,4}\s?(?:초|분|시간|일|주|개월|년) ?전/gu,
  /(?<![\p{L}\d])(?:just now|moments? ago|(?:earlier )?today(?: at \d{1,2}:\d{2}(?: ?[ap]m)?)?|yesterday(?: at \d{1,2}:\d{2}(?: ?[ap]m)?)?|gerade eben|gestern|heute|à l[’']instant|hier|aujourd[’']hui|ahora mismo|ayer|hoy|ieri|oggi|gisteren|vandaag|вчера|сегодня|только что|昨天|今天|昨日|今日)(?![\p{L}\d])/giu,
];

const COUNTED = [
  "views?|page ?views?|visits?|visitors?|hits?|reads?|likes?|dislikes?|comments?|repl(?:y|ies)|answers?|shares?|reactions?|(?:up|down)?votes?|points by|followers?|following|subscribers?|downloads?|installs?|plays?|streams|listens?|watchers?|watching|viewing|forks?|reposts?|retweets?|bookmarks?|claps?|saves?|reviews?|ratings|sold|online(?: now)?|(?:users?|members?|guests?|people|visitors?) (?:are )?(?:online|active|here|viewing|watching|reading|browsing)|times (?:viewed|read|shared|downloaded)",
  "Aufrufe?|Ansichten|Besucher|Kommentare?|Antworten?|Bewertungen|Downloads|Mal gelesen|mal angesehen|Abonnenten|Follower",
  "vues?|visites?|visiteurs?|commentaires?|réponses?|abonnés?|téléchargements?|avis",
  "visitas?|vistas?|comentarios?|respuestas?|seguidores|descargas|visualizações|comentários?|opiniones",
  "visualizzazioni|visite|commenti|risposte|recensioni",
  "weergaven|bezoekers|reacties|просмотр(?:а|ов)?|комментари(?:й|я|ев)|отзыв(?:а|ов)?",
].join("|");

const COUNTERS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?:(?:viewed|read|watched|played|downloaded|shared|visited) ${NUMBER} times|vue? ${NUMBER} fois|vist[oa] ${NUMBER} (?:veces|vezes|volte)|просмотрено ${NUMBER} раза?)(?!\p{L})`,
    "giu",
  ),
  new RegExp(String.raw`${NUMBER}\s?(?:\*\*|__)?\s?(?:${COUNTED})(?![\p{L}\d])`, "giu"),
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:${COUNTED}|visitor (?:number|no\.?|count)|hit counter)(?:\*\*|__)?\s?(?:[:：#=]|\(|is|are)?\s?(?:\*\*|__)?\s?${NUMBER}(?![\p{L}\d%])(?!\s?[€$£¥])\)?`,
    "giu",
  ),
  /\d{1,3}(?:[.,]?\d{1,3}){0,4}\s?(?:次(?:阅读|浏览|播放|观看|下载)|人(?:观看|在线|评论|浏览)|回(?:視聴|再生)|件のコメント)/gu,
  /(?:阅读|浏览|评论|点赞|閲覧数|再生回数|조회|조회수|댓글)\s?[:：(]?\s?\d{1,3}(?:[.,]?\d{1,3}){0,4}/gu,
];

const CLOCKS: readonly RegExp[] = [
  /(?:generated|rendered|loaded|processed|served|executed|created|erzeugt|geladen|générée?|generad[ao]) in \d{1,6}(?:[.,]\d{1,9})? ?(?:ms|s|sec(?:ond)?s?|milliseconds|Sekunden)(?![\p{L}\d])/giu,
  /(?:local|server|current|generation|execution|page|load|aktuelle|serveur) (?:time|zeit|Uhrzeit)(?: is)?\s?[:=]?\s?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?/giu,
];

const UPDATED = [
  "(?:last|page) (?:updated?|modified|edited|changed)(?: on| at)?|updated on",
  "zuletzt (?:aktualisiert|geändert|bearbeitet)(?: am)?|letzte (?:Aktualisierung|Änderung)(?: am)?",
  "dernière (?:mise à jour|modification)(?: le)?|mis à jour le",
  "última (?:actualización|modificación|atualização)(?: el)?|actualizado el|atualizado em",
  "ultimo aggiornamento|aggiornato il|laatst (?:bijgewerkt|gewijzigd)(?: op)?",
  "последнее обновление|обновлено|最終更新日?|最后更新(?:时间)?|更新时间",
].join("|");
const ANY_DATE = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)?(?: de)? \p{L}{3,10}\.?,?(?: de)? \d{4}|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{4}年\d{1,2}月\d{1,2}日)`;
const ANY_TIME = String.raw`(?:(?:T|,? (?:at |um |à )?)\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?(?: ?(?:Z|UTC|GMT|Uhr))?)?`;

/** The day of an update beside its label; the text that was updated is compared by itself. */
const STAMPS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${UPDATED})(?:\*\*|__)?\s?[:：]?\s?(?:\*\*|__)?\s?${ANY_DATE}${ANY_TIME}`,
    "giu",
  ),
];

const LEFT = String.raw`\d{1,4}\s?(?:${UNITS})(?![\p{L}\d])`;
/** Time until something ends, which is less at each visit. */
const COUNTDOWNS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?:(?:sale |offer |auction |deal )?(?:ends|closes|expires) in|time (?:left|remaining)|endet in|läuft ab in|se termine dans|expire dans|termina en|termina em|scade tra|eindigt over)\s?:?\s?(?:${LEFT}(?:[ ,:]{1,2}${LEFT}){0,3}|\d{1,3}:\d{2}(?::\d{2}){0,2})`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<![\d:])(?:\d{1,3}:\d{2}(?::\d{2}){1,2}|${LEFT}(?:[ ,:]{1,2}${LEFT}){1,3}) (?:left|remaining)(?!\p{L})`,
    "giu",
  ),
];

/** Versions of assets, such as style.css?v=3; other addresses use the same names for content. */
const ASSET_KEYS =
  /(?<=\.(?:css|m?js|png|jpe?g|gif|webp|avif|svg|ico|woff2?)\?)(?:v|ver|version|rev|build|hash|t|h)=[\w.~%-]{1,100}/giu;

/** Query parameters that change on each visit. */
const LINK_KEYS =
  /(?<=[?&;])(?:amp;)?(?:phpsessid|jsessionid|sid|session(?:_?id)?|_|ts|timestamp|cb|cache(?:bust(?:er)?)?|nocache|rand(?:om)?|nonce|csrf(?:_?token)?|token|utm_[a-z]{1,20}|fbclid|gclid)=[\w.~%-]{1,500}/giu;
const SESSION_PATH = /;jsessionid=[\w.!-]{1,200}/giu;

const MASKS: readonly { readonly kind: NoiseKind; readonly patterns: readonly RegExp[] }[] = [
  { kind: "link", patterns: [LINK_KEYS, ASSET_KEYS, SESSION_PATH] },
  { kind: "clock", patterns: [...CLOCKS, ...STAMPS, ...COUNTDOWNS] },
  { kind: "age", patterns: AGES },
  { kind: "counter", patterns: COUNTERS },
];

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const GERMAN = ["jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"];
const FRENCH = ["jan", "fév", "mar", "avr", "mai", "jui", "jui", "aoû", "sep", "oct", "nov", "déc"];

const DATES: readonly { readonly pattern: RegExp; readonly order: string }[] = [
  { pattern: /(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/gu, order: "ymd" },
  { pattern: /(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/gu, order: "dmy" },
  { pattern: /(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/gu, order: "slashed" },
  {
    pattern: /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?\s(\p{L}{3,10})\.?,?\s(\d{4})(?!\d)/gu,
    order: "dmy",
  },
  {
    pattern: /(?<!\p{L})(\p{L}{3,10})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/gu,
    order: "mdy",
  },
];
/** Text around today's date: weekday and time. */
const WEEKDAY =
  /(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun|mon|diens|donners|frei|sams|sonn)(?:day|tag)|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche),?\s*$/iu;
const TIME =
  /^(?:,|T|\s|at|um|à|-|–|\|)*\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:\s?[ap]\.?m\.?)?(?:\s?(?:Z|UTC|GMT|CES?T|[+-]\d{2}:?\d{2}|Uhr))?/iu;

const DAY_MS = 86_400_000;

/**
 * Masks everything volatile in a line. A date counts as the page's clock only if it is the day of
 * the fetch.
 */
export function maskLine(text: string, fetchedAt: number): MaskedLine {
  const masks: { kind: NoiseKind; text: string }[] = [];
  let masked = maskToday(text, fetchedAt, masks);
  for (const { kind, patterns } of MASKS)
    for (const pattern of patterns)
      masked = masked.replace(pattern, (found) => {
        masks.push({ kind, text: found });
        return `⟨${kind}⟩`;
      });
  return { key: masked.replaceAll(/\s+/g, ""), masks };
}

function maskToday(
  text: string,
  fetchedAt: number,
  masks: { kind: NoiseKind; text: string }[],
): string {
  let masked = text;
  for (const { pattern, order } of DATES) {
    // Joined once at the end, because a line may be as long as a page and contain only dates.
    const parts: string[] = [];
    let done = 0;
    for (const match of masked.matchAll(pattern)) {
      if (match.index < done || !isDay(match, order, fetchedAt)) continue;
      const end = match.index + match[0].length;
      const before = WEEKDAY.exec(masked.slice(Math.max(done, match.index - 16), match.index))?.[0];
      const after = TIME.exec(masked.slice(end, end + 48))?.[0] ?? "";
      const start = match.index - (before?.length ?? 0);
      masks.push({ kind: "clock", text: masked.slice(start, end + after.length) });
      parts.push(masked.slice(done, start), "⟨clock⟩");
      done = end + after.length;
    }
    if (done > 0) masked = parts.join("") + masked.slice(done);
  }
  return masked;
}

/** True if the date is within a day of the fetch, in any time zone. */
function isDay(match: RegExpMatchArray, order: string, fetchedAt: number): boolean {
  const [, one = "", two = "", three = ""] = match;
  const ways =
    order === "ymd"
      ? [[one, two, three]]
      : order === "dmy"
        ? [[three, two, one]]
        : order === "mdy"
          ? [[three, one, two]]
          : [
              [three, two, one],
              [three, one, two],
            ];
  return ways.some(([year = "", month = "", day = ""]) => {
    const at = Date.UTC(Number(year), monthOf(month), Number(day), 12);
    return Math.abs(at - fetchedAt) <= 1.5 * DAY_MS;
  });
}

/** From 0; NaN for other texts. */
function monthOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) - 1;
  const short = text.slice(0, 3).toLowerCase();
  for (const names of [MONTHS, GERMAN, FRENCH]) {
    const index = names.indexOf(short);
    if (index !== -1) return index;
  }
  return Number.NaN;
}

const DIGITS = /\d+(?:[.,'’]\d+)*/g;
const VALUE = /[€$£¥₹%]|\b(?:EUR|USD|GBP|CHF|JPY|v(?:ersion)?|release|build)\b/i;

/** Returns the line with masked numbers, equal for lines that differ only in numbers. */
export const withoutNumbers = (key: string): string => key.replaceAll(DIGITS, "#");

/**
 * Returns the only whole number of a line if it could be a counter; undefined for prices,
 * percentages, versions and several numbers.
 */
export function counterOf(text: string): number | undefined {
  if (VALUE.test(text)) return undefined;
  const numbers = text.match(DIGITS) ?? [];
  const [only] = numbers;
  if (only === undefined || numbers.length !== 1) return undefined;
  const grouped = /^\d{1,3}(?:[.,'’]\d{3})+$/.test(only);
  if (!grouped && !/^\d+$/.test(only)) return undefined;
  return Number(only.replaceAll(/\D/g, ""));
}
