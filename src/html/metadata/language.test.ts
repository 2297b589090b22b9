import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { readMetadata } from "./index.ts";

describe("readMetadata languages", () => {
  it.each([
    [
      "vi",
      "Thành phố sẽ bắt đầu sửa chữa cây cầu cũ vào mùa xuân năm sau, theo thông báo của chính quyền. Người dân cho biết họ đã chờ đợi việc này từ lâu, vì cây cầu hẹp và mặt đường hư hỏng nhiều năm nay.",
    ],
    [
      "fa",
      "شهرداری اعلام کرد که تعمیر پل قدیمی شهر از بهار سال آینده آغاز خواهد شد. ساکنان محله می‌گویند سال‌هاست که منتظر این کار هستند، چون پل باریک است و آسفالت آن خراب شده و رفت و آمد را دشوار می‌کند.",
    ],
    [
      "ar",
      "أعلنت البلدية أن إصلاح الجسر القديم في المدينة سيبدأ في ربيع العام المقبل. ويقول سكان الحي إنهم ينتظرون هذا العمل منذ سنوات طويلة لأن الجسر ضيق والطريق متهالك ويجعل حركة السيارات صعبة للغاية.",
    ],
    [
      "hu",
      "A város jövő tavasszal kezdi meg a régi híd felújítását, közölte az önkormányzat. A környék lakói szerint régóta várnak erre, mert a híd keskeny, az útburkolat pedig évek óta rossz állapotban van, és nehezíti a közlekedést.",
    ],
  ])("detects %s", (language, text) => {
    expect(
      readMetadata(parseHtml(`<body><p>${text} ${text}</p>`), { url: "https://e.org/" })[
        "language"
      ],
    ).toBe(language);
  });
});
