import type { FormatDeclaration } from "./format.ts";

/** Every image of the original page, absolute, in document order, once each. */
export const images: FormatDeclaration<"images"> = {
  name: "images",
  needs: [],
  isWithoutText: true,
  blank: { images: [] },
  evidence: () => ({ lazy: true }),
  derive: async () => {
    const { listImages } = await import("../html/images/images.ts");
    return (view) => ({
      images: view.hasTree() ? listImages(view.getDocument(), view.getBase()) : [],
    });
  },
};
