import { describe, it } from "vitest";
import { expectRead } from "../../../../test/understanding/references.ts";

const TIDES =
  "Okafor, C. N.; Lindqvist, M. | 2021 | Tidal mixing in narrow fjords | Journal of Coastal Physics | 48(3) | 211–229";
const TIDES_TEXT =
  "Okafor, C. N., &amp; Lindqvist, M. (2021). Tidal mixing in narrow fjords. <em>Journal of Coastal Physics</em>, <em>48</em>(3), 211–229.";
const SHIFTS =
  "Chen L; Abebe T; Novak P | 2022 | Sleep and shift work: a cohort study | J Occup Sleep | 14(2) | 87-95";

describe("APA references", () => {
  it("are read with italics and a linked DOI", () => {
    expectRead([
      [
        `Okafor, C. N., &amp; Lindqvist, M. (2021). Tidal mixing in narrow fjords. <em>Journal of Coastal Physics</em>, <em>48</em>(3), 211–229. <a href="https://doi.org/10.1234/jcp.2021.0048">https://doi.org/10.1234/jcp.2021.0048</a>`,
        `${TIDES} | 10.1234/jcp.2021.0048`,
      ],
      [
        `Lindqvist, M. (2019). Salt wedges revisited. <em>Estuarine, Coastal and Shelf Science</em>, <em>210</em>, 1–9. <a href="https://doi.org/10.1016/j.ecss.2019.01.002">https://doi.org/10.1016/j.ecss.2019.01.002</a>`,
        "Lindqvist, M. | 2019 | Salt wedges revisited | Estuarine, Coastal and Shelf Science | 210 | 1–9 | 10.1016/j.ecss.2019.01.002",
      ],
    ]);
  });

  it("are read without any markup", () => {
    expectRead([
      [
        "Okafor, C. N., &amp; Lindqvist, M. (2021). Tidal mixing in narrow fjords. Journal of Coastal Physics, 48(3), 211–229.",
        TIDES,
      ],
      [
        "Bao, T., Ruiz, E., &amp; Okafor, C. N. (2018). Sand budgets of barrier islands. Marine Geology Letters, 7(1), 15–31.",
        "Bao, T.; Ruiz, E.; Okafor, C. N. | 2018 | Sand budgets of barrier islands | Marine Geology Letters | 7(1) | 15–31",
      ],
    ]);
  });

  it("keep question marks and colons in their titles", () => {
    expectRead([
      [
        "Bao, T. (2020). Do seals count? Numerosity in captive pinnipeds. <i>Animal Minds</i>, <i>9</i>(2), 40–58.",
        "Bao, T. | 2020 | ?Do seals count? Numerosity in captive pinnipeds | Animal Minds | 9(2) | 40–58",
      ],
      [
        "Bao, T., &amp; Ruiz, E. (2017). Who owns the shore? <i>Law and Landscape</i>, <i>3</i>, 5–22.",
        "Bao, T.; Ruiz, E. | 2017 | ?Who owns the shore? | Law and Landscape | 3 | 5–22",
      ],
      [
        "Ruiz, E. (2016). Food and fear (1914–1918): A port town at war. <i>Urban Pasts</i>, <i>21</i>(4), 300–317.",
        "Ruiz, E. | 2016 | Food and fear (1914–1918): A port town at war | Urban Pasts | 21(4) | 300–317",
      ],
    ]);
  });

  it("keep species in italics and abbreviations in their titles", () => {
    expectRead([
      [
        "Haas, P., &amp; Mora, L. (2015). Diet of <i>Phoca vitulina</i> in the Wadden Sea. <i>Mammal Notes</i>, <i>33</i>(1), 12–20.",
        "Haas, P.; Mora, L. | 2015 | Diet of Phoca vitulina in the Wadden Sea | Mammal Notes | 33(1) | 12–20",
      ],
      [
        "Mora, L., &amp; Haas, P. (2013). Flooding at St. Peter Hill: Gauges vs. models. <i>Hydrology Today</i>, <i>2</i>(2), 7–19.",
        "Mora, L.; Haas, P. | 2013 | Flooding at St. Peter Hill: Gauges vs. models | Hydrology Today | 2(2) | 7–19",
      ],
    ]);
  });

  it("keep a species at the beginning of their titles", () => {
    expectRead([
      [
        "Mora, L. (2014). <i>Mytilus edulis</i> vs. <i>Crassostrea gigas</i>: Who builds the reef. <i>Reef Studies</i>, <i>5</i>, 101–118.",
        "Mora, L. | 2014 | Mytilus edulis vs. Crassostrea gigas: Who builds the reef | Reef Studies | 5 | 101–118",
      ],
      [TIDES_TEXT, TIDES],
    ]);
  });

  it("name the authors of a chapter, not the editors of its book", () => {
    expectRead([
      [
        "Brandt, L. (2018). Salt roads of the north. In P. Ito &amp; R. Vance (Eds.), <em>Trade before money</em> (pp. 88–112). Harbor Press.",
        "Brandt, L. | 2018 | Salt roads of the north | ?book: Trade before money |  | 88–112",
      ],
      [
        "Brandt, L., &amp; Ito, P. (2020). Ports as memory. In R. Vance (Ed.), <em>Handbook of harbors</em> (2nd ed., Vol. 3, pp. 9–27). Northlight. https://doi.org/10.5555/hoh.3.2",
        "Brandt, L.; Ito, P. | 2020 | Ports as memory | ?book: Handbook of harbors | ?3 | 9–27 | 10.5555/hoh.3.2",
      ],
    ]);
  });

  it("of books, theses and reports name no journal", () => {
    expectRead([
      [
        "Vance, R. (2015). <em>The quiet coast</em> (2nd ed.). Harbor Press.",
        "Vance, R. | 2015 | ?The quiet coast ~ The quiet coast (2nd ed.)",
      ],
      [
        "Ito, P. (2019). <em>Sediment memory in lagoons</em> [Doctoral dissertation, University of Bergen].",
        "Ito, P. | 2019 | ?Sediment memory in lagoons",
      ],
      [
        "Ito, P., &amp; Vance, R. (2021). <em>Harbor noise in 2020</em> (Report No. 12). Coastal Agency.",
        "Ito, P.; Vance, R. | 2021 | ?Harbor noise in 2020 ~ Harbor noise in 2020 (Report No. 12)",
      ],
    ]);
  });

  it.fails("in press or under review have no year", () => {
    expectRead([
      [
        "Ruiz, E., &amp; Bao, T. (in press). Kelp and carbon. <em>Ocean Policy</em>.",
        "?Ruiz, E.; Bao, T. |  | ?Kelp and carbon | ?Ocean Policy",
      ],
      ["Bao, T. (under review). Dune grass as a sensor.", "?Bao, T. |  | ?Dune grass as a sensor"],
      [
        "Okafor, C. N., &amp; Lindqvist, M. (2021). Tidal mixing in narrow fjords. <em>Journal of Coastal Physics</em>, <em>48</em>(3), 211–229.",
        TIDES,
      ],
    ]);
  });

  it("take months, suffixes of years and article numbers for what they are", () => {
    expectRead([
      [
        "Mora, L. (2023, March 14). Storm names. <em>Weather Weekly</em>, <em>80</em>(11), 3–4.",
        "Mora, L. | 2023 | Storm names | Weather Weekly | 80(11) | 3–4",
      ],
      [
        "Mora, L., &amp; Haas, P. (2017b). Gulls read traffic lights. <em>PLoS ONE</em>, <em>12</em>(4), e0176543. https://doi.org/10.1371/journal.pone.0176543",
        "Mora, L.; Haas, P. | 2017 | Gulls read traffic lights | PLoS ONE | 12(4) | ?e0176543 | 10.1371/journal.pone.0176543",
      ],
    ]);
  });

  it("keep particles, hyphens and apostrophes among the authors", () => {
    expectRead([
      [
        "van der Berg, J.-P., O’Neil, S. T., &amp; de la Cruz, M. (2017). Wave climates. <em>Sea and Air</em>, <em>4</em>(1), 1–12.",
        "?van der Berg, J.-P.; O’Neil, S. T.; de la Cruz, M. | 2017 | Wave climates | Sea and Air | 4(1) | 1–12",
      ],
      [
        "Sæther, Ø. Å., Çelik, İ., &amp; Nguyễn, T. H. (2016). Northern mussels. <em>Sea and Air</em>, <em>3</em>(2), 44–51.",
        "Sæther, Ø. Å.; Çelik, İ.; Nguyễn, T. H. | 2016 | Northern mussels | Sea and Air | 3(2) | 44–51",
      ],
    ]);
  });

  it.fails("of organizations do not have the names of links as titles", () => {
    expectRead([
      [
        "Coastal Survey of Norway. (2014). Tide tables explained. <em>Sea and Air</em>, <em>1</em>(1), 2–6.",
        "?Coastal Survey of Norway | ?2014 | ?Tide tables explained | ?Sea and Air | ?1(1) | ?2–6",
      ],
      [TIDES_TEXT, TIDES],
    ]);
  });
});

describe("Harvard references", () => {
  it("are read with titles in single quotes", () => {
    expectRead([
      [
        "Smith, J. and Jones, K. (2019) ‘Wind loads on tall timber’, <i>Structural Review</i>, 12(4), pp. 44–61. doi: 10.1080/12345678.2019.1600001.",
        "Smith, J.; Jones, K. | 2019 | Wind loads on tall timber | Structural Review | 12(4) | 44–61 | 10.1080/12345678.2019.1600001",
      ],
      [
        "Jones, K. (2018) ‘The builder’s share: who pays for drift’, <i>Timber Law</i>, 2(1), pp. 7–19.",
        "Jones, K. | 2018 | ?The builder’s share: who pays for drift | Timber Law | 2(1) | 7–19",
      ],
    ]);
  });

  it("are read with years between commas or points", () => {
    expectRead([
      [
        "Smith, J. and Jones, K., 2019. Wind loads on tall timber. <i>Structural Review</i>, 12(4), pp.44-61.",
        "Smith, J.; Jones, K. | 2019 | Wind loads on tall timber | Structural Review | 12(4) | 44-61",
      ],
      [
        "Jones, K., Abara, N. and Smith, J., 2016. Glue lines under fire. <i>Fire and Form</i>, 8(3), pp.201-215.",
        "Jones, K.; Abara, N.; Smith, J. | 2016 | Glue lines under fire | Fire and Form | 8(3) | 201-215",
      ],
    ]);
  });
});

describe("IEEE references", () => {
  it("are read with volumes, numbers and months", () => {
    expectRead([
      [
        "[1] J. K. Holt and M. Berg, “Soft switching in small drives,” <i>IEEE Trans. Power Electron.</i>, vol. 35, no. 2, pp. 101–110, Feb. 2020, doi: 10.1109/TPEL.2019.2900001.",
        "J. K. Holt; M. Berg | 2020 | Soft switching in small drives | ?IEEE Trans. Power Electron. ~ IEEE Trans. Power Electron | 35(2) | 101–110 | 10.1109/TPEL.2019.2900001",
      ],
      [
        "[2] M. Berg, J. K. Holt, and A. Sato, “Quiet inverters,” <i>Electron. Lett.</i>, vol. 51, no. 18, pp. 1401–1403, 2015.",
        "M. Berg; J. K. Holt; A. Sato | 2015 | Quiet inverters | ?Electron. Lett. ~ Electron. Lett | 51(18) | 1401–1403",
      ],
    ]);
  });

  it("of conferences are read with their years, not with places", () => {
    expectRead([
      [
        "[C2] A. Sato and M. Berg, “Grasping wet rope,” in <i>Proc. Int. Conf. Field Robots (ICFR)</i>, Paris, France, 2020, pp. 1–7.",
        "A. Sato; M. Berg | 2020 | Grasping wet rope | ?conf: Proc. Int. Conf. Field Robots (ICFR) |  | 1–7",
      ],
      [
        "[C1] M. Berg, “Maps for tidal flats,” in <i>Proc. 12th Eur. Workshop Mobile Mach.</i>, Ghent, Belgium, Sep. 2017, pp. 33–38.",
        "M. Berg | 2017 | Maps for tidal flats | ?conf: Proc. 12th Eur. Workshop Mobile Mach. |  | 33–38",
      ],
    ]);
  });
});

describe("MLA and Chicago references", () => {
  it("of MLA are read with years before the pages", () => {
    expectRead([
      [
        "Rossi, Elena, and Tom Berg. “Letters from the Lagoon.” <i>Archive Studies</i>, vol. 7, no. 2, 2017, pp. 12-40.",
        "Rossi, Elena; Tom Berg | 2017 | Letters from the Lagoon | Archive Studies | 7(2) | 12-40",
      ],
      [
        "Rossi, Elena. “Is Paper Patient? Notes on Mold.” <i>Archive Studies</i>, vol. 5, no. 1, 2015, pp. 3-18.",
        "Rossi, Elena | 2015 | Is Paper Patient? Notes on Mold | Archive Studies | 5(1) | 3-18",
      ],
    ]);
  });

  it("of Chicago are read with the year behind the authors", () => {
    expectRead([
      [
        "Rossi, Elena, and Tom Berg. 2017. “Letters from the Lagoon.” <i>Archive Studies</i> 7 (2): 12–40. https://doi.org/10.1086/700001.",
        "Rossi, Elena; Tom Berg | 2017 | Letters from the Lagoon | Archive Studies | 7(2) | 12–40 | 10.1086/700001",
      ],
      [
        "Berg, Tom. 2014. “The 1910 Census of Boats.” <i>Counting</i> 3 (4): 150–62.",
        "Berg, Tom | 2014 | The 1910 Census of Boats | Counting | 3(4) | ?150–62 ~ 150–162",
      ],
    ]);
  });

  it("of Chicago are read with the year in brackets", () => {
    expectRead([
      [
        "Rossi, Elena, and Tom Berg. “Letters from the Lagoon.” <i>Archive Studies</i> 7, no. 2 (2017): 112–119.",
        "Rossi, Elena; Tom Berg | 2017 | Letters from the Lagoon | Archive Studies | 7(2) | 112–119",
      ],
      [
        "Berg, Tom. “Ropes and Rules.” <i>Counting</i> 1, no. 1 (2012): 33–51.",
        "Berg, Tom | 2012 | Ropes and Rules | Counting | 1(1) | 33–51",
      ],
    ]);
  });
});

describe("Vancouver and AMA references", () => {
  it("are read with initials without points", () => {
    expectRead([
      [
        "Chen L, Abebe T, Novak P. Sleep and shift work: a cohort study. J Occup Sleep. 2022;14(2):87-95. doi:10.1000/jos.2022.14. PMID: 35000001",
        `${SHIFTS} | 10.1000/jos.2022.14`,
      ],
      [
        "Abebe T, Novak P. Coffee clocks. J Occup Sleep. 2018;10(4):301-309.",
        "Abebe T; Novak P | 2018 | Coffee clocks | J Occup Sleep | 10(4) | 301-309",
      ],
    ]);
  });

  it("are read with month and day behind the year", () => {
    expectRead([
      [
        "Novak P, Chen LM. Light at night. <em>Lancet Nights</em>. 2020 Mar 5;395(10226):777-84.",
        "Novak P; Chen LM | 2020 | Light at night | Lancet Nights | 395(10226) | ?777-84 ~ 777-784",
      ],
      [TIDES_TEXT, TIDES],
    ]);
  });

  it("name no author for et al.", () => {
    expectRead([
      [
        "Chen L, Abebe T, Novak P, et al. Sleep and shift work: a cohort study. J Occup Sleep. 2022;14(2):87-95.",
        SHIFTS,
      ],
      [
        "Abebe T, et al. Naps in night nurses. J Occup Sleep. 2019;11(1):5-13.",
        "Abebe T | 2019 | Naps in night nurses | J Occup Sleep | 11(1) | 5-13",
      ],
    ]);
  });

  it("have DOIs with brackets, without the point behind them", () => {
    expectRead([
      [
        "Chen L, Abebe T, Novak P. Sleep and shift work: a cohort study. J Occup Sleep. 2022;14(2):87-95. doi:10.1016/S0140-6736(22)30183-5.",
        `${SHIFTS} | 10.1016/S0140-6736(22)30183-5`,
      ],
      [
        'Abebe T, Novak P. Coffee clocks. J Occup Sleep. 2018;10(4):301-309. <a href="https://dx.doi.org/10.1000/jos.2018.41">[DOI]</a> <a href="/pdf/abebe18.pdf">[PDF]</a>',
        "Abebe T; Novak P | 2018 | Coffee clocks | J Occup Sleep | 10(4) | 301-309 | ?10.1000/jos.2018.41",
      ],
    ]);
  });
});

describe("German and French references", () => {
  it("are read with slashes between authors and the year behind the volume", () => {
    expectRead(
      [
        [
          "Müller, Anna/Berg, Tom: Küstenschutz im Wandel. In: Zeitschrift für Küstenkunde 12 (2018), S. 33–51.",
          "Müller, Anna; Berg, Tom | 2018 | Küstenschutz im Wandel | Zeitschrift für Küstenkunde | 12 | 33–51",
        ],
        [
          "Müller, Anna: Wem gehört das Watt? In: Nordsee 3 (2016), H. 2, S. 5–19.",
          "?Müller, Anna | 2016 | ?Wem gehört das Watt? | Nordsee | 3(?2) | 5–19",
        ],
      ],
      { lang: "de" },
    );
  });

  it.fails("of German collections and books name no editors, places or publishers", () => {
    expectRead(
      [
        [
          "Müller, Anna: „Deiche und Dörfer“, in: Karl Otto / Eva Lang (Hg.): Land am Meer. Festschrift, Kiel 2016, S. 101–120.",
          "?Müller, Anna | ?2016 | ?Deiche und Dörfer | ?book: Land am Meer. Festschrift ~ Land am Meer |  | ?101–120",
        ],
        [
          "Müller, Anna: Die Flut. Geschichte einer Angst. Göttingen: Wallstein 2014.",
          "?Müller, Anna | ?2014 | ?Die Flut. Geschichte einer Angst",
        ],
        [
          "Müller, A. (2012): Fähren im Eis. In: Nordsee 1 (4), S. 70–81.",
          "?Müller, A. | ?2012 | ?Fähren im Eis | ?Nordsee | ?1(4) | ?70–81",
        ],
      ],
      { lang: "de" },
    );
  });

  it("of French are read with guillemets", () => {
    expectRead(
      [
        [
          "Dupont, J. et Martin, C. (2020). « Les marées du golfe », <em>Revue de géographie marine</em>, vol. 33, n° 2, p. 55-78.",
          "?Dupont, J.; Martin, C. | 2020 | Les marées du golfe | Revue de géographie marine | 33(?2) | 55-78",
        ],
        [
          "DUPONT Jeanne, « Pêcher la nuit », <em>Études littorales</em>, n° 12, 2018, p. 5-20.",
          "?DUPONT Jeanne | ?2018 | Pêcher la nuit | ?Études littorales | (?12) | ?5-20",
        ],
      ],
      { lang: "fr" },
    );
  });
});

describe("ACM references and preprints", () => {
  it("of ACM are read without publisher and place", () => {
    expectRead([
      [
        "Wei Zhang, Ines Costa, and Omar Haddad. 2023. Fast joins on slow disks. In <i>Proceedings of the 49th International Conference on Large Tables (CLT ’23)</i>. ACM, New York, NY, USA, 1–14. https://doi.org/10.1145/1111111.2222222",
        "Wei Zhang; Ines Costa; Omar Haddad | 2023 | Fast joins on slow disks | ?conf: Proceedings of the 49th International Conference on Large Tables (CLT ’23) ~ Proceedings of the 49th International Conference on Large Tables |  | ?1–14 | 10.1145/1111111.2222222",
      ],
      [
        "Ines Costa and Omar Haddad. 2021. Sorting in place, twice. <i>ACM Trans. Tables</i> 46, 2, Article 7 (June 2021), 31 pages. https://doi.org/10.1145/3333333",
        "Ines Costa; Omar Haddad | 2021 | Sorting in place, twice | ?ACM Trans. Tables | ?46(2) |  | 10.1145/3333333",
      ],
    ]);
  });

  it("of arXiv have no volume, pages or DOI", () => {
    expectRead([
      [
        'Zhang, W., &amp; Costa, I. (2024). Cold caches at scale. <em>arXiv preprint</em> <a href="https://arxiv.org/abs/2401.01234">arXiv:2401.01234</a>.',
        "Zhang, W.; Costa, I. | 2024 | Cold caches at scale | ?arXiv ~ arXiv preprint ~ arXiv preprint arXiv:2401.01234",
      ],
      [TIDES_TEXT, TIDES],
    ]);
  });

  it("of arXiv are read without italics", () => {
    expectRead([
      [
        "Haddad, O., Zhang, W., &amp; Costa, I. (2023). Warm starts for cold caches. arXiv:2305.04321 [cs.DB].",
        "Haddad, O.; Zhang, W.; Costa, I. | 2023 | Warm starts for cold caches | ?arXiv ~ arXiv:2305.04321 ~ arXiv:2305.04321 [cs.DB]",
      ],
      [TIDES_TEXT, TIDES],
    ]);
  });
});
