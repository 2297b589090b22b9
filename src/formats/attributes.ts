import type { FormatDeclaration } from "./format.ts";

/** Attribute values of the original page, one entry per selector, in request order. */
export const attributes: FormatDeclaration<"attributes"> = {
  name: "attributes",
  needs: [],
  isWithoutText: true,
  blank: { attributes: [] },
  derive: async () => {
    const { selectAttributes } = await import("../html/select/attributes.ts");
    return (view, { selectors }) => ({
      attributes: view.hasTree()
        ? selectAttributes(view.getDocument(), selectors, (reason) =>
            view.warnings.push(`attributes: ${reason}`),
          )
        : selectors.map((selector) => ({ ...selector, values: [] })),
    });
  },
};
