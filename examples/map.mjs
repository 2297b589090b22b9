// The addresses of a site, without fetching them; with a word, the best matches first.
import { client, rest, url } from "./connect.mjs";

const [search] = rest;
const { links } = await client.map(url, { limit: 20, ...(search && { search }) });
for (const { url: address, title } of links) console.log(title ? `${address}  ${title}` : address);
