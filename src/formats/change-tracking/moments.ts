// Patterns of times that change without an edit: update stamps, countdowns, and the clock of the page, in ten languages
// and Korean. A date without such a label is never noise. All patterns are bounded.

export const UNITS = [
  "s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?|mo(?:nth)?s?|y(?:(?:ea)?rs?)?",
  "Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Monat(?:en?)?|Jahr(?:en?)?|Sek\\.?|Std\\.?",
  "secondes?|minutes?|heures?|jours?|j|semaines?|mois|ans?",
  "segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|m[eê]s|años?|anos?|segs?",
  "second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]",
  "seconden|minuut|minuten|uur|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar",
  "секунд[уы]?|сек\\.?|минут[уы]?|мин\\.?|час(?:а|ов)?|ч\\.?|д(?:ень|ня|ней)|дн\\.?|недел[юиь]|месяц(?:а|ев)?|год(?:а)?|лет",
].join("|");

/** Units of countdowns: up to weeks, because longer ones are terms of a contract. */
const SHORT_UNITS = [
  "s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?",
  "Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Sek\\.?|Std\\.?",
  "secondes?|minutes?|heures?|jours?|j|semaines?",
  "segundos?|minutos?|horas?|d[ií]as?|semanas?|segs?",
  "second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]",
  "seconden|minuut|minuten|uur|dag(?:en)?|we(?:ek|ken)",
  "секунд[уы]?|сек\\.?|минут[уы]?|мин\\.?|час(?:а|ов)?|ч\\.?|д(?:ень|ня|ней)|дн\\.?|недел[юиь]",
].join("|");
const EAST_UNITS = "天|日|小时|小時|時間|时|時|分钟|分鐘|分|秒|일|시간|분|초";

const UPDATED = [
  "(?:page |site |data |content |information |article )?(?:was )?last (?:page )?(?:updated?|modified|edited|changed|revised|reviewed|refreshed|checked|synced|synchronized|generated|modification|change|edit)(?: on| at)?|page (?:updated|modified|edited|changed)(?: on| at)?|(?:updated|edited) (?:on|at)|date (?:modified|updated)|(?:data|status) as of",
  "zuletzt (?:aktualisiert|geändert|bearbeitet|geprüft|überarbeitet)(?: am| um)?|letzte[sr]? (?:Aktualisierung|Änderung|Bearbeitung|Update|Überarbeitung)(?: am| vom)?|(?:aktualisiert|geändert|bearbeitet) am",
  "dernière (?:mise à jour|modification|actualisation|révision)(?: le)?|(?:mis|mise) à jour(?: le)?|(?:actualisé|modifié)e? le|date de (?:mise à jour|modification)",
  "última (?:actualización|modificación|revisión|edición|atualização|modificação|edição|revisão)(?: el| em)?|(?:actualizad|modificad)[oa] el|(?:atualizad|modificad)[oa] em|fecha de actualización|data de atualização",
  "ultim[oa] (?:aggiornamento|modifica|revisione)(?: il)?|(?:aggiornat|modificat)[oa] il|data di aggiornamento|(?:pagina )?aggiornat[oa] al",
  "laatst (?:bijgewerkt|gewijzigd|aangepast)(?: op)?|laatste (?:update|wijziging|aanpassing)(?: op)?|(?:bijgewerkt|gewijzigd) op",
  "(?:последнее|дата) (?:обновлени[ея]|изменени[ея])|(?:последние изменения|обновлено|изменено)",
  "最終更新(?:日時?)?|更新日時?|最后(?:更新|修改)(?:时间|日期|于)?|最近更新(?:时间|日期)?|更新(?:时间|日期|于)|最後(?:更新|修改)(?:時間|日期)?|更新(?:時間|日期)",
  "(?:최종|마지막|최근) ?(?:수정|업데이트|갱신)(?:일|일시)?",
].join("|");
/** Labels that are also ordinary words: only at the start of a line or after a separator. */
const BARE_UPDATED =
  "(?:updated|modified|edited|refreshed|as of|aktualisiert|stand|actualizado|atualizado|aggiornato|bijgewerkt|更新|수정일|업데이트)";

const WEEKDAY = String.raw`(?:\p{L}{2,10}(?:-feira)?\.?,? )?`;
const ANY_DATE = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:st|nd|rd|th|er|º|\.)?(?: de| of)? \p{L}{3,10}\.?,?(?: de| del)? \d{4}|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{4}(?:年|년 ?|\. ?)\d{1,2}(?:月|월 ?|\. ?)\d{1,2}(?:日|일|\.)?)`;
const CLOCK_TIME = String.raw`\d{1,2}(?::|h|時|时|시 ?)\d{2}(?:[:分]\d{2}|分|분)?(?: ?[ap]\.?m\.?)?(?: ?(?:Z|UTC|GMT|CES?T|E[SD]T|P[SD]T|BST|Uhr|JST|MSK|МСК|[+-]\d{2}:?\d{2}))?`;
const ANY_TIME = String.raw`(?:(?:T|,? ?(?:at |um |à |a las |às |alle |ore (?:alle )?|om |в |[-–|] )?)(?:\(\p{L}\) ?)?${CLOCK_TIME})?`;
const MOMENT = String.raw`(?:${WEEKDAY}${ANY_DATE}${ANY_TIME}|${CLOCK_TIME})`;
const MARK = String.raw`(?:\*\*|__)?`;
/** White space, the narrow ones of French included. */
const SPACE = String.raw`[ \u00a0\u202f]?`;

/** The day of an update beside its label; the updated text is compared separately. */
export const STAMPS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${UPDATED})${MARK}${SPACE}[:：]?${SPACE}${MARK}${SPACE}(?:[(（] ?)?${MOMENT}`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<=^[\s*_>#|-]{0,8}|[·•|(] {0,2}${MARK})${BARE_UPDATED}${MARK}${SPACE}[:：]?${SPACE}${MARK}${SPACE}(?:am |on |le |il |el |op |em )?${MOMENT}(?=${MARK}[\s).|·•]{0,4}(?:$|[·•|)]))`,
    "giu",
  ),
  // "2026年3月6日 更新"
  new RegExp(String.raw`${ANY_DATE}${ANY_TIME} ?(?:更新|업데이트|수정)(?!\p{L})`, "gu"),
];

const UNIT = String.raw`\d{1,4}${SPACE}(?:${SHORT_UNITS})(?![\p{L}\d])`;
const EAST_UNIT = String.raw`\d{1,4} ?(?:${EAST_UNITS})`;
const BETWEEN = String.raw`(?:[ ,:]{1,2}|(?: and | und | et | y | e | en | и ))`;
/** Units and clocks: "2 days 04:17:52", "3 jours 11 h 24 min", "9 h 02". */
const PART = String.raw`(?:${UNIT}|\d{1,3}:\d{2}(?::\d{2}){0,2}|\d{1,2}${SPACE}h${SPACE}\d{2}(?![\p{L}\d]))`;
const LEFT = String.raw`(?:${PART}(?:${BETWEEN}${PART}){0,4}|${EAST_UNIT}(?: ?${EAST_UNIT}){0,4})`;
/** At least two units or a clock, because hours and minutes are rarely written by hand. */
const TICKING = String.raw`(?:${PART}(?:${BETWEEN}${PART}){1,4}|\d{1,3}:\d{2}:\d{2}|\d{1,2}${SPACE}h${SPACE}\d{2}(?![\p{L}\d])|${EAST_UNIT}(?: ?${EAST_UNIT}){1,4})`;
const SECONDS = String.raw`\d{1,4}${SPACE}(?:s(?:ec(?:ond)?s?)?|Sekunden?|Sek\.?|secondes?|segundos?|second[oi]|seconden|секунд[уы]?|сек\.?|秒|초)(?![\p{L}\d])`;

const END_PHRASES = [
  "(?:ends?|ending|closes?|closing|expires?|expiring|finishes|over) in|time (?:left|remaining)",
  "endet in|läuft (?:noch|ab in|in)|nur noch|verbleiben(?:de Zeit)?|Restzeit",
  "se termine dans|prend fin dans|(?:expire|finit) dans|plus que|temps restant|il ne reste (?:plus )?que",
  "(?:termina|acaba|finaliza|expira|caduca|vence) en|s[oó]lo (?:te )?quedan|tiempo restante|(?:termina|acaba|encerra|expira) em|s[oó] (?:faltam?|restam?)|tempo restante",
  "(?:termina|scade|finisce) (?:tra|fra|in)|solo ancora|tempo (?:rimanente|rimasto)",
  "eindigt over|(?:loopt|verloopt) (?:af )?over|(?:slechts|maar) nog|resterende tijd",
  "(?:заканчивается|истекает|завершится) через|до конца(?: акции)?(?: осталось)?|осталось всего",
  "距(?:离|離)?(?:结束|結束|截止)(?:还有|還有|仅剩|僅剩)?|倒计时|倒計時|(?:仅|僅)剩|剩余时间|剩餘時間|終了まで(?:あと|残り)?|締切まで(?:あと|残り)?|残り時間|(?:종료|마감)까지|남은 ?시간",
].join("|");
const REFRESHES = [
  "(?:auto-?)?(?:refresh(?:es|ing)?|reload(?:s|ing)?|updates?|updating)(?: again)?(?: automatically)? in|next (?:automatic )?(?:update|refresh|reload)(?: in)?",
  "(?:aktualisiert(?: sich)?|Aktualisierung|aktualisieren) in|nächste Aktualisierung(?: in)?|lädt neu in",
  "(?:actualisation|rechargement|(?:prochaine )?mise à jour) (?:dans|:)",
  "se actualiza(?:rá)? en|(?:próxima )?actualización (?:en|:)|(?:próxima )?atualiza(?:ção)? em",
  "(?:prossimo )?aggiornamento (?:tra|fra)|si aggiorna (?:tra|fra)",
  "(?:ververst|vernieuwt|volgende update) (?:over|in)",
  "обнов(?:ление|ится|ляется) через",
  "(?:次の)?更新まで(?:あと)?|下次(?:更新|刷新)",
].join("|");
/** A start has a date, which may be an event of the page: a single unit counts. */
const START_PHRASES =
  "(?:starts?|begins?|opens?|launch(?:es)?|goes live|live) in|(?:beginnt|startet|öffnet) in|(?:commence|débute|ouvre) dans|(?:empieza|comienza) en|começa em|inizia (?:tra|fra)|begint over|(?:начнётся|начнется|начало) через|开始还有|開始まで(?:あと|残り)?|시작까지";
const REMAINING_BEFORE =
  "noch|encore|il reste|quedan?|faltan?|restam?|mancano?|ancora|nog|осталось|还剩|還剩|剩余|剩餘|あと|残り";
const REMAINING_AFTER =
  "left|remaining|to go|verbleibend|übrig|restante?s?|rimanenti|rimasti|resterend|осталось|后(?:结束|刷新|更新)|後に?(?:終了|更新|結束)|남음|남았습니다|후 ?(?:종료|새로고침|업데이트)";

/** Time until something ends, which is less at each visit. */
export const COUNTDOWNS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${END_PHRASES}|${REFRESHES})${MARK}${SPACE}[:：]?${SPACE}${MARK}(?:about |in )?${LEFT}`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:${START_PHRASES}|${REMAINING_BEFORE})${MARK}${SPACE}[:：]?${SPACE}${MARK}(?:${TICKING}|${SECONDS})`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<![\d:\p{L}])(?:${TICKING}|${SECONDS}|only ${UNIT})${MARK} ?(?:${REMAINING_AFTER})(?!\p{L})`,
    "giu",
  ),
  // "02d 14h 33m 12s" without other text.
  new RegExp(
    String.raw`(?<=^[\s*_>#|-]{0,8})(?:${UNIT}${BETWEEN}){2,4}${SECONDS}(?=[\s*_|]{0,8}$)`,
    "giu",
  ),
];

/** The clock of the server and the time that it took. */
export const CLOCKS: readonly RegExp[] = [
  /(?:generated|rendered|loaded|processed|served|executed|created|erzeugt|geladen|générée?|chargée?|generad[ao]|cargad[ao]|gerad[ao]|carregad[ao]|generat[ao]|gegenereerd|сгенерирована?|загружена?) (?:in|en|em|over|за) \d{1,6}(?:[.,]\d{1,9})? ?(?:ms|s|sec(?:ond)?s?|milliseconds|Sekunden|secondes|segundos|secondi|seconden|секунд[ыу]?|сек\.?|мс)(?![\p{L}\d])/giu,
  /(?<!\p{L})in \d{1,4}[.,]\d{1,9} ?(?:s|Sekunden|ms) (?:geladen|erzeugt|generiert|erstellt)(?!\p{L})/giu,
  /(?<![\d.,])\d{1,5} (?:SQL |database |MySQL |db )?(?:queries|Datenbankabfragen|requêtes|consultas)(?= (?:in|en) \d)|(?<=⟨clock⟩,? (?:with|using|mit|avec|con) )\d{1,5} (?:SQL |database |MySQL |db )?(?:queries|Datenbankabfragen|requêtes|consultas)/giu,
  /(?:local|server|current|generation|execution|page|load|aktuelle|serveur) (?:time|zeit|Uhrzeit)(?: is)?\s?[:=]?\s?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?/giu,
  /(?:Serverzeit|Ladezeit|Uhrzeit|heure (?:du serveur|actuelle)|hora (?:actual|del servidor|atual)|ora attuale|servertijd|серверное время|服务器时间|当前时间|現在時刻)\s?[:：=]?\s?\d{1,2}:\d{2}(?::\d{2})?/giu,
];
