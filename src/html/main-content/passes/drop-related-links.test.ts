import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { dropRelatedLinks } from "./drop-related-links.ts";

const TEXT = `<p>${"The harbour was closed to all but the smallest boats for a week. ".repeat(2)}</p>`;

/** Returns the remaining text if all blocks of the page were kept. */
function listRemaining(html: string): string[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts = page.blocks.map(() => "kept" as const);
  dropRelatedLinks(page, verdicts);
  return page.blocks.flatMap(({ textStart }, at) =>
    verdicts[at] === "kept" ? [page.texts[textStart]!.data.trim().slice(0, 12)] : [],
  );
}

describe("dropRelatedLinks", () => {
  it.each([
    "<p><strong>Read more: <a href=/b>Boats are back in the harbour</a></strong></p>",
    "<p>➤ <a href=/b>READ MORE ON HARBOUR NEWS</a></p>",
    "<p><a href=/b>Lire aussi : Les bateaux sont de retour</a></p>",
    "<div>Das könnte Sie auch interessieren: <a href=/b>Boote sind zurück im Hafen</a></div>",
    "<h3>Lees ook</h3><ul><li><a href=/b>De boten zijn terug in de haven</a></ul>",
    "<p><b>DON’T MISS</b><br><a href=/b>Boats are back in the harbour</a> [NEWS]<br><a href=/c>Harbour dues rise</a> [VIDEO]</p>",
    "<p><i>Follow us on <a href=/i>Instagram</a> and <a href=/t>Twitter</a>.</i></p>",
    "<p>DON’T MISS</p><p><a href=/b>Boats are back</a><br><a href=/c>Harbour dues rise</a></p>",
  ])("drops the pointer %s between paragraphs", (line) => {
    expect(listRemaining(TEXT + line + TEXT)).toEqual(["The harbour ", "The harbour "]);
  });

  it.each([
    [
      "ja",
      "市は二十日、古い橋を直す工事を来年の春に始めると発表し、住民に説明した。",
      "【関連記事】",
      "橋の工事",
    ],
    [
      "zh",
      "市政府二十日宣布，明年春天将开始修复这座有一百年历史的旧桥，并向附近的居民作了详细说明。",
      "延伸阅读：",
      "旧桥的历史",
    ],
    [
      "ko",
      "시는 20일 오래된 다리를 고치는 공사를 내년 봄에 시작한다고 발표하고 주민들에게 설명했으며 예산도 함께 공개했다고 밝혔다.",
      "[관련기사] ",
      "다리 공사 시작",
    ],
    [
      "ar",
      "أعلنت المدينة في العشرين من الشهر أنها ستبدأ إصلاح الجسر القديم في ربيع العام المقبل وشرحت الأمر للسكان.",
      "اقرأ أيضاً: ",
      "تاريخ الجسر القديم",
    ],
    [
      "tr",
      "Belediye eski köprünün onarımına gelecek yılın baharında başlanacağını yirmi kasımda duyurdu ve bunu mahalle sakinlerine anlattı.",
      "İlgili haber: ",
      "Köprünün tarihi",
    ],
    [
      "th",
      "เทศบาลประกาศ ว่า จะ เริ่ม ซ่อม สะพาน เก่า ใน ฤดู ใบไม้ผลิ ปี หน้า และ ได้ อธิบาย ให้ ชาวบ้าน ฟัง",
      "อ่านเพิ่มเติม: ",
      "ประวัติสะพาน",
    ],
  ])("drops the pointer between paragraphs in %s", (_, paragraph, words, link) => {
    const line = `<p>${words}<a href=/b>${link}</a></p>`;
    expect(listRemaining(`<p>${paragraph}</p>${line}<p>${paragraph}</p>`)).toHaveLength(2);
  });

  it.each([
    "<p><a href=/b>See also: the harbour's own rules</a></p>",
    "<p>Read more than one of the <a href=/b>reports</a> before you sail, since they differ.</p>",
    "<p>Readmore Ltd is <a href=/b>a firm of ship brokers</a></p>",
    "<p>Related: none of this is a link.</p>",
    "<p>Follow the coast to <a href=/b>the harbour</a>.</p>",
    "<table><tr><td><a href=/b>Read more</a><td>now</table>",
  ])("keeps %s", (line) => {
    expect(listRemaining(TEXT + line).length).toBeGreaterThan(1);
  });

  it('drops an introduction such as "you may also like" without links', () => {
    expect(
      listRemaining(`${TEXT}<p>Dieses Thema könnte dich auch interessieren:</p>`),
    ).toHaveLength(1);
  });

  it("keeps pointer lines without a paragraph before them, as in teaser lists", () => {
    const card = "<p>Boats</p><p><a href=/b>Read more about boats</a></p>";
    expect(listRemaining(card + card)).toHaveLength(4);
  });
});
