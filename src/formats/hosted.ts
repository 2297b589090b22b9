// Formats of hosted services of this API family that this server does not make.
import type { FormatType } from "../contract/page/formats.ts";
import type { FormatDeclaration } from "./format.ts";

const declareHostedOnly = <T extends FormatType>(name: T): FormatDeclaration<T> => ({
  name,
  needs: [],
  unavailable: `The ${name} format exists only on hosted services of this API family.`,
});

export const product = declareHostedOnly("product");
export const menu = declareHostedOnly("menu");
export const video: FormatDeclaration<"video"> = {
  ...declareHostedOnly("video"),
  price: () => "video",
};
