import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { findLoadMore, isLoadMore } from "./load-more.ts";
import { threadCpuMs } from "../../../test/cpu-time.ts";

describe("isLoadMore", () => {
  it.each([
    "Load more",
    "Show 20 more",
    "SHOW MORE RESULTS ▾",
    "More (45)",
    "Weitere Artikel anzeigen",
    "Mehr laden",
    "Voir plus de produits",
    "Ver más",
    "Carregar mais",
    "Показать ещё",
    "もっと見る",
    "加载更多",
    "더보기",
    "عرض المزيد",
    "Xem thêm",
  ])("recognizes %s", (label) => {
    expect(isLoadMore(label)).toBe(true);
  });

  it.each([
    "Read more",
    "Learn more",
    "Show less",
    "More about our load balancer",
    "No more items",
    "Add more to your cart today",
    "Show more love to your neighbours and friends",
  ])("does not recognize %s", (label) => {
    expect(isLoadMore(label)).toBe(false);
  });

  it("takes time linear in the length of a label", () => {
    const started = threadCpuMs();
    for (const part of ["load more ", "1", "ver mais a", "voir x plus de "])
      isLoadMore(part.repeat(100_000));
    expect(threadCpuMs() - started).toBeLessThan(50);
  });
});

describe("findLoadMore", () => {
  const entries = (count: number): string =>
    `<ul>${Array.from({ length: count }, (_, at) => `<li>Entry ${at}</li>`).join("")}</ul>`;
  const find = (body: string): string => findLoadMore(parseHtml(`<body>${body}</body>`));

  it("finds a button below a list, also in wrappers", () => {
    expect(find(`${entries(5)}<button>Load more</button>`)).toBe("Load more");
    expect(find(`${entries(9)}<div><p><button> <span>Show</span> more</button></p></div>`)).toBe(
      "Show more",
    );
    expect(find(`${entries(9)}<a href="#" class="more">Ver más</a>`)).toBe("Ver más");
  });

  it("does not report buttons that unfold a text, links to other pages, or buttons above a list", () => {
    expect(find(`<p>A long text.</p><button>Show more</button>`)).toBe("");
    expect(find(`${entries(9)}<a href="/archive">Show more</a>`)).toBe("");
    expect(find(`<button>Load more</button>${entries(9)}`)).toBe("");
    expect(find(`${entries(4)}<button>Load more</button>`)).toBe("");
  });
});
