// Pages that list many similar values: each label means its own field and none of the others.
import { expect, test } from "vitest";
import { TEXT_SHAPE } from "../values/values.ts";
import { scoreLabelSimilarity, toWanted } from "../visible/label-match.ts";
import { parseName } from "./names.ts";

const isLabeled = (field: string, label: string): boolean =>
  toWanted(parseName(field), TEXT_SHAPE, new Set()).some(
    (wanted) => scoreLabelSimilarity(wanted, label) >= 0.9,
  );

/** Labels by the names that schemas give to one field. */
type Labels = Readonly<Record<string, string>>;

const FUNDS: Labels = {
  "ongoing_charges ongoingChargesPercent": "OCF; laufende Kosten; frais courants; spese correnti",
  "management_fee managementFeePercent": "Verwaltungsvergütung; frais de gestion; beheervergoeding",
  "entry_charge entryCharge": "Ausgabeaufschlag (max.); frais d'entrée; instapkosten",
  "exit_charge exitFee": "Rücknahmeabschlag; frais de sortie; uitstapkosten",
  transaction_costs: "Transaktionskosten; costi di transazione; transactiekosten",
  benchmark: "Vergleichsindex; indice de référence; jämförelseindex",
  "risk_indicator riskIndicator": "SRI; Risikoindikator; indicatore di rischio",
  "distribution_policy distributionPolicy": "Ertragsverwendung; affectation des résultats",
  "share_class shareClass": "Anteilklasse; catégorie de part; classe di quote",
  "fund_size fundSize": "Fondsvolumen; patrimonio del fondo; encours",
};
const FILINGS: Labels = {
  "revenue net_sales": "Umsatzerlöse; chiffre d'affaires; przychody ze sprzedaży",
  "cost_of_sales costOfRevenue cogs": "Cost of goods sold; Umsatzkosten; coût des ventes; 売上原価",
  "gross_profit grossProfit": "Bruttoergebnis vom Umsatz; utilidad bruta; bruttoresultat; 毛利",
  gross_margin: "Bruttomarge (%); marge brute; brutomarge; 毛利率",
  ebitda: "EBITDA; excédent brut d'exploitation; margine operativo lordo",
  "operating_income ebit": "Betriebsergebnis (EBIT); rörelseresultat; 営業利益; прибыль от продаж",
  "profit_before_tax pretaxIncome":
    "Ergebnis vor Steuern; zysk brutto; resultat før skat; 利润总额",
  "income_tax income_tax_expense":
    "Provision for income taxes; Ertragsteuern; daň z příjmů; 法人税等",
  "net_income netProfit": "Profit for the year; Konzernergebnis; nettoresultaat; 당기순이익",
  "eps eps_basic": "Basic earnings per share; Ergebnis je Aktie (unverwässert); 每股收益",
  "eps_diluted dilutedEps": "Diluted EPS; resultat per aktie efter utspädning; 稀释每股收益",
  "rd_expenses researchAndDevelopment": "Research and development costs; F&E-Kosten; 研究開発費",
  "sga sga_expenses": "Selling, general and administrative expenses; SG&A; 販売費及び一般管理費",
  interest_expense: "Zinsaufwendungen; interessi passivi; räntekostnader; 支払利息",
  total_assets: "Bilanzsumme; total de l'actif; balansomslutning; 资产总计",
  total_liabilities: "Summe Verbindlichkeiten; pasivo total; 負債合計",
  "equity shareholders_equity totalEquity": "Eigenkapital; capitaux propres; egenkapital; 純資産",
  equity_ratio: "Eigenkapitalquote; soliditet; egenkapitalandel; 自己資本比率",
  net_debt: "Nettoverschuldung; endettement net; dług netto; čistý dluh",
  total_debt: "Finanzverbindlichkeiten; deuda bruta; rentebærende gjeld; 有利子負債",
  cash_and_equivalents: "Cash & cash equivalents; liquide Mittel; trésorerie; peněžní prostředky",
  "operating_cash_flow cashFlowFromOperations": "Operativer Cashflow; kontantstrøm fra drift",
  "capex capital_expenditure":
    "Capital expenditures; Investitionen; nakłady inwestycyjne; 設備投資額",
  "free_cash_flow fcf": "Freier Cashflow; flujo de caja libre; vrije kasstroom; 自由现金流",
  order_backlog: "Auftragsbestand; carnet de commandes; ordrebeholdning; 受注残高",
  order_intake: "Auftragseingang; prises de commandes; orderingång",
  cost_income_ratio: "Cost/Income Ratio; Aufwand-Ertrags-Quote; coefficient d'exploitation",
  cet1_ratio: "CET1-Quote; Common Equity Tier 1 ratio; ren kjernekapitaldekning",
  net_interest_income: "Zinsüberschuss; margen de intereses; räntenetto; wynik odsetkowy",
  "return_on_equity roe":
    "Eigenkapitalrendite; egenkapitalavkastning; rentowność kapitału własnego",
  "shares_outstanding sharesOutstanding": "Anzahl Aktien; nombre d'actions; 発行済株式数",
  "dividend dividend_per_share": "Dividende je Aktie; utdelning per aktie; 1株当たり配当金",
  dividend_yield: "Dividendenrendite; direktavkastning; 配当利回り",
  auditor: "Abschlussprüfer; commissaire aux comptes; biegły rewident; 会计师事务所",
  isin: "ISIN-Code; code ISIN; kod ISIN",
  fiscal_year: "Geschäftsjahr; exercice; boekjaar",
  fiscal_year_end: "Geschäftsjahresende; clôture de l'exercice; konec účetního období",
  "period_end period_end_date": "Period ended; Bilanzstichtag; balansdag; отчетная дата",
  reporting_period: "Berichtszeitraum; période de référence; okres sprawozdawczy",
  "annual_general_meeting agm_date": "AGM; Hauptversammlung; årsstämma; 株主総会",
};

const STATISTICS: Labels = {
  "region province": "Bundesland; provincia; województwo; 都道府県",
  "municipality municipalityName": "Gemeinde; nom de la commune; kommun; 市区町村",
  district: "Bezirk; barrio; dzielnica",
  "population inhabitants": "Einwohnerzahl; población total; folkmängd; 인구; население",
  households: "Haushalte; ménages; gospodarstwa domowe; 世帯数",
  "unit unit_of_measure": "Einheit; unité de mesure; jednostka miary; 計量單位",
  "source data_source": "Quelle; fuente; źródło; 出典",
  reference_date: "Stichtag; peildatum; stan na dzień; 基準日",
  "table_number table_id": "Tabellennummer; número de tabla; tabellnummer",
  survey_year: "Erhebungsjahr; année d'enquête; 調査年",
  change_from_previous_year: "Veränderung zum Vorjahr; variation annuelle; zmiana r/r; 前年比",
};

const ELECTIONS: Labels = {
  "votes votes_cast": "Stimmen; voix; głosy; antal röster; 得票数",
  "vote_share vote_percentage": "Stimmenanteil; pourcentage des voix; röstandel; 得票率",
  "seats seats_won": "Sitze; escaños; zetels; antal mandat; 議席数",
  "turnout voterTurnout": "Wahlbeteiligung; taux de participation; stemmeprocent; 投票率",
  "eligible_voters registered_voters": "Wahlberechtigte; electores inscritos; 有権者数",
  valid_votes: "Gültige Stimmen; suffrages exprimés; głosy ważne",
  "candidate candidate_name": "Kandidatin; nom du candidat; 候補者名",
  "party party_name": "Partei; partito; politická strana; 所属政党",
  change_in_points: "Veränderung in Prozentpunkten; Gewinne und Verluste; variation en points",
  constituency: "Wahlkreis; circonscription; valkrets; 小選挙区",
  invalid_votes: "Ungültige Stimmen; bulletins nuls; votos nulos; ongeldige stemmen; 無効投票数",
  ballots_cast: "Votants; uitgebrachte stemmen; afgivne stemmer; 投票者数",
  change_in_seats: "Sitzveränderung; variation de sièges; zetelverschil; 議席増減",
  election_date: "Wahltag; date du scrutin; 投票日",
};

const LODGING: Labels = {
  "amenities facilities":
    "Ausstattung; équipements; servicios; servizi; voorzieningen; udogodnienia; 편의시설",
  room_amenities: "Zimmerausstattung; équipements de la chambre; kamerfaciliteiten; 客室設備",
  "max_guests number_of_guests":
    "Anzahl Gäste; occupation maximale; ocupación máxima; liczba gości",
  bed_type: "Bettentyp; type de lit; tipo di letto; ベッドタイプ",
  view: "Aussicht; uitzicht; výhled; utsikt; 전망",
  breakfast: "Frühstück; petit déjeuner; desayuno; colazione; śniadanie; frukost; 朝食",
  cancellation_policy: "Stornierungsbedingungen; conditions d'annulation; annulering; 取消政策",
  reception_hours: "Rezeptionszeiten; horaires de la réception; godziny recepcji",
  "tourist_tax city_tax":
    "Kurtaxe; taxe de séjour; imposta di soggiorno; opłata klimatyczna; 宿泊税",
  single_room: "Einzelzimmer; habitación individual; enkelrum; 单人间",
  double_room: "Doppelzimmer; camera doppia; dvoulůžkový pokoj; dobbeltrom",
  single_supplement: "Einzelzimmerzuschlag; suplemento individual; enkelrumstillägg",
  "minimum_stay min_nights":
    "Mindestaufenthalt; séjour minimum; estancia mínima; minimální délka pobytu",
  extra_bed: "Zustellbett; lit d'appoint; cama supletoria; přistýlka",
  cleaning_fee: "Endreinigung; frais de ménage; pulizia finale; slutstädning",
  price_per_night: "Preis pro Nacht; prix par nuit; precio por noche; cena za noc",
  "room_type room_category": "Zimmertyp; tipo de habitación; rodzaj pokoju; 房型",
  included: "Im Preis enthalten; le prix comprend; la quota comprende; v ceně; 费用包含",
  not_included: "Nicht enthalten; no incluye; niet inbegrepen; 불포함사항",
};

const MUSEUMS: Labels = {
  curators: "Commissariat; Kurator:innen; comisariada por; a cura di; kurátorka; 策展人; 큐레이터",
  "full_price adult_price":
    "Plein tarif; Vollpreis; intero; entrada general; normaal tarief; bilet normalny",
  "reduced_price concession_price":
    "Tarif réduit; ermäßigt; Concessions; biglietto ridotto; bilet ulgowy",
  child_price: "Kinderpreis; tarif enfant; bilhete infantil; dětské vstupné; 儿童票",
  family_ticket: "Familienkarte; billet famille; gezinskaart; bilet rodzinny",
  group_price: "Gruppenpreis; tarif groupe; groepstarief; skupinové vstupné",
  "closed_days closing_day": "Ruhetage; jours de fermeture; giorni di chiusura; gesloten; 休館日",
  last_admission: "Letzter Einlass; dernière entrée; última entrada; ostatnie wejście; 最終入館",
  audio_guide: "Audioguide; audioguía; audioprzewodnik; 音声ガイド",
  guided_tour: "Führungen; visite guidée; visita guidata; rondleiding; omvisning",
  visit_duration: "Besuchsdauer; durée de la visite; czas zwiedzania",
  "inventory_number accession_number": "Inventarnummer; numéro d'inventaire; inventární číslo",
  accessibility: "Barrierefreiheit; accessibilité; toegankelijkheid; バリアフリー",
  nearest_station: "Nächster Bahnhof; gare la plus proche; 最寄り駅",
  nearest_stop: "Nächste Haltestelle; arrêt le plus proche; najbliższy przystanek",
  opening_hours: "Öffnungszeiten; godziny otwarcia",
};

const NOTICES: Labels = {
  "comment_deadline deadline_for_comments":
    "Frist für Stellungnahmen; plazo de alegaciones; høringsfrist",
  case_officer:
    "Sachbearbeiterin; dossier suivi par; behandelend ambtenaar; handläggare; saksbehandler",
  case_number: "Aktenzeichen; número de expediente; zaaknummer; znak sprawy; diarienummer; 案号",
  "effective_date effective_from":
    "Inkrafttreten; date d'entrée en vigueur; wejście w życie; účinnost od; 施行日",
  legal_basis: "Rechtsgrundlage; base légale; podstawa prawna; lovhjemmel; 法律依据",
  applicant: "Antragsteller; demandeur; aanvrager; wnioskodawca; 申請者",
  decision: "Entscheidung; besluit; rozhodnutí; vedtak",
  decision_date: "Date of decision; besluitdatum; datum rozhodnutí",
  processing_time: "Bearbeitungszeit; délai de traitement; handläggningstid; 処理期間",
  required_documents: "Erforderliche Unterlagen; pièces à fournir; wymagane dokumenty; 必要書類",
  contracting_authority: "Vergabestelle; pouvoir adjudicateur; stazione appaltante; zamawiający",
  "charge fee": "Charges; Gebühr; frais; opłata; gebyr",
  published: "Veröffentlicht am",
};

const RELEASES: Labels = {
  "new_features added": "New; Neue Funktionen; nouvelles fonctionnalités; nowe funkcje; 新增功能",
  "fixes bug_fixes fixed":
    "Fehlerbehebungen; Behoben; corrections de bugs; poprawki błędów; バグ修正",
  breaking_changes: "Inkompatible Änderungen; cambios incompatibles; 破壊的変更",
  "improvements enhancements": "Verbesserungen; améliorations; vylepšení; 개선사항",
  deprecated: "Veraltet; obsolète; przestarzałe; 非推奨",
  removed: "Entfernt; supprimé; usunięto; 移除",
  known_issues: "Bekannte Probleme; problemas conocidos; kända problem; 已知问题",
  security_advisory: "Avis de sécurité; bollettino di sicurezza; 安全公告",
  release_channel: "Update-Kanal; canale di rilascio; kanał aktualizacji",
  severity: "Schweregrad; gravità; závažnost; 严重程度",
  affected_versions: "Betroffene Versionen; versions affectées; 受影响版本",
  fixed_version: "Behoben in; versión corregida; 修复版本",
  "end_of_support eol": "Supportende; fin de support; koniec wsparcia; サポート終了日",
  system_requirements: "Systemvoraussetzungen; configuration requise; systémové požadavky",
  version: "Versionsnummer; numer wersji",
  open_issues: "Number of open issues; offene Issues",
  forks: "Number of forks; форки",
  last_commit: "Letzter Commit; dernier commit; 最近提交",
};

const DINING: Labels = {
  starters: "Vorspeisen; antipasti; voorgerechten; przystawki; 前菜",
  main_courses: "Hauptgerichte; plats principaux; platos principales; hlavní jídla; 主菜",
  desserts: "Nachspeisen; postres; sobremesas; efterrätter; десерты",
  drinks: "Getränke; boissons; bevande; napoje",
  wine_pairing: "Weinbegleitung; accords mets et vins; maridaje; abbinamento vini; wijnarrangement",
  spice_level: "Schärfegrad; nivel de picante; poziom ostrości; 辣度",
  allergens: "Allergene; allergènes; alergeny; アレルゲン",
  reservations: "Reservierung; prenotazioni; bordsbokning; 予約",
};

const CLINICS: Labels = {
  "medical_specialty specialty":
    "Fachrichtung; spécialités médicales; especialidad; specialismen; 診療科",
  accepted_insurance: "Krankenkassen; planos de saúde; smluvní pojišťovny",
  "office_hours consultation_hours":
    "Sprechstunden; heures de consultation; spreekuur; ordinační hodiny",
  visiting_hours: "Besuchszeiten; horario de visitas; godziny odwiedzin; 面会時間",
  active_ingredient: "Wirkstoff; principe actif; substancja czynna; 有効成分",
  side_effects: "Nebenwirkungen; effetti collaterali; bijwerkingen; побочные действия",
  dosage: "Dosierung; posologie; dawkowanie; 用法用量",
};

const RENTALS: Labels = {
  "price_per_day daily_rate": "Preis pro Tag; prix par jour; dagprijs; cena za dzień",
  "price_per_week weekly_rate": "Wochenpreis; precio por semana; pris pr. uge",
  "price_per_month monthly_price": "Monatspreis; prezzo mensile; cena za měsíc",
  deposit: "Kaution; dépôt de garantie; waarborgsom; kaucja",
  minimum_rental_period: "Mindestmietdauer; durée minimale de location",
  "spots_left places_left":
    "Freie Plätze; places restantes; plazas disponibles; wolne miejsca; 残席",
  membership_fee: "Mitgliedsbeitrag; cotisation; składka członkowska; medlemsavgift",
  trial_class: "Probestunde; cours d'essai; proefles; zkušební lekce",
};

const CARS: Labels = {
  "colour exterior_color": "Außenfarbe; couleur extérieure; kolor nadwozia; цвет кузова",
  interior_color: "Innenfarbe; couleur intérieure; colore interni",
  "engine_power power": "Motorleistung; puissance du moteur; moc silnika",
  "first_registered first_registration": "Erstzulassung; mise en circulation; pierwsza rejestracja",
  "mot vehicle_inspection":
    "HU; MOT due; contrôle technique; ITV; przegląd techniczny ważny do; 車検",
  road_tax: "Kfz-Steuer; wegenbelasting; silniční daň",
  insurance_group: "Typklasse; groupe d'assurance",
  "doors number_of_doors": "Türen; puertas; aantal deuren; liczba drzwi",
  seats: "Anzahl Sitzplätze; número de plazas; koltuk sayısı",
  top_speed: "Höchstgeschwindigkeit; vitesse maximale; topsnelheid; prędkość maksymalna",
  battery_capacity: "Batteriekapazität; capacidad de la batería; pojemność baterii",
  "driving_range range": "Reichweite; actieradius; zasięg; 航続距離",
  mileage: "Kilometerstand; przebieg",
};

const MODULES: Labels = {
  "entry_requirements prerequisites":
    "Empfohlene Vorkenntnisse; connaissances préalables; förkunskaper; 선수과목",
  "exam exam_form": "Prüfungsform; modalités d'évaluation; forma zaliczenia; vurderingsform",
  "learning_outcomes learning_objectives":
    "Lernziele; acquis d'apprentissage; leerdoelen; efekty uczenia się; 到達目標",
  student_workload: "Arbeitsaufwand; charge de travail; studielast; nakład pracy studenta",
  contact_hours: "SWS; volume horaire; contacturen; hodinová dotace",
  course_type: "Modulart; tipo de asignatura; rodzaj zajęć; 课程性质",
  course_coordinator: "Modulverantwortliche; responsable du cours; garant předmětu",
  "class_schedule timetable": "Stundenplan; emploi du temps; rozvrh; 時間割",
  certificate: "Zertifikat; attestation; certyfikat; 修了証",
  semester: "Semester; semestre; семестр",
  credits: "ECTS-Punkte; studiepunten; punkty ECTS",
};

const LIBRARIES: Labels = {
  "call_number shelfmark":
    "Signatur; cote; signatura; collocazione; plaatskenmerk; 請求記号; 索书号",
  "place_of_publication publication_place":
    "Erscheinungsort; lieu de publication; miejsce wydania; utgivningsort; 出版地",
  physical_description: "description matérielle; descrizione fisica; opis fizyczny; 形態",
  loan_status: "Ausleihstatus; estado del préstamo; uitleenstatus; 貸出状況",
  due_date: "Due back; date de retour prévue; termin zwrotu; återlämnas senast; 返却期限",
  loan_period: "Leihfrist; durée du prêt; uitleentermijn; lånetid; výpůjční lhůta",
  number_of_copies: "Anzahl Exemplare; nombre d'exemplaires; liczba egzemplarzy; 冊数",
  thesis_supervisor: "Doktorvater; directeur de thèse; handledare; vedoucí práce; 指導教員",
  keywords: "Schlagwörter; mots-clés; parole chiave; słowa kluczowe; ключевые слова; キーワード",
  remarks: "Bemerkungen; remarques; observaciones; opmerkingen; uwagi; 備考",
};

const POPULATIONS: Labels = {
  population: "Einwohner",
  change: "Veränderung; évolution; variación; mutatie; zmiana; 増減; % change",
  change_absolute: "Veränderung absolut; variation absolue; zmiana bezwzględna; 増減数",
  population_density: "Einwohner je km²; densité de population; gęstość zaludnienia; 人口密度",
  births: "Lebendgeborene; nacidos vivos; urodzenia żywe; levendgeborenen; 出生数",
  deaths: "Gestorbene; nombre de décès; zgony; sterfgevallen; 死亡数",
  net_migration: "Wanderungssaldo; solde migratoire; saldo migracji; flyttnetto",
  share: "Anteil in %; udział; aandeel; prosentandel; 構成比",
  women: "Frauen; femmes; kobiety; kvinnor; 女性人口",
  men: "Männer; hommes; mężczyźni; män; 男性人口",
  elevation: "Höhe ü. M.; m ö.h.; nadmořská výška; 標高; altitude",
};

const WEATHER: Labels = {
  "snow_depth snow_height": "Schneehöhe (cm); hauteur de neige; altezza neve; snödjup; 積雪",
  "fresh_snow new_snow": "Neuschnee; neige fraîche; nieve nueva; nysnø; 新雪",
  sunshine_hours: "Sonnenstunden; heures de soleil; zonuren; soltimmar; 日照時間",
  moon_phase: "Mondphase; fase lunare; faza księżyca; 月相",
  avalanche_level: "Lawinengefahr; risque d'avalanche; lavinfara; zagrożenie lawinowe",
  wave_height: "Wellenhöhe; hauteur des vagues; golfhoogte; 波高",
  "sea_temperature water_temperature": "Wassertemperatur; température de l'eau; 水温",
  high_tide: "Pleine mer; pleamar; hoogwater; 満潮",
  low_tide: "Basse mer; bajamar; laagwater; 干潮",
  water_level: "Wasserstand; waterstand; vattenstånd; 水位",
  rainy_days: "Regentage; jours de pluie; dni z opadem; 降水日数",
  gusts: "Böenspitze; rafales; windstoten; vindkast; porywy wiatru",
  wind_speed: "Windgeschwindigkeit; vitesse du vent; 風速",
  average_wind_speed: "Mittlere Windgeschwindigkeit; medelvind; 平均風速",
  temperature: "Lufttemperatur; teplota vzduchu",
  average_temperature: "Durchschnittstemperatur; temperatura media; 平均気温",
  precipitation: "Niederschlagsmenge; précipitations; nederbördsmängd",
  observation_time: "Messzeit; heure d'observation; observationstidspunkt; 観測時刻",
};

const DISCLOSURES: Labels = {
  ebitda: "EBITDA",
  adjusted_ebitda: "Bereinigtes EBITDA; EBITDA ajusté; justerad EBITDA; 調整後EBITDA",
  operating_income: "Betriebsergebnis; résultat opérationnel; rörelseresultat",
  adjusted_ebit: "Bereinigtes EBIT; résultat opérationnel ajusté; justerat rörelseresultat",
  operating_margin: "EBIT-Marge; marge opérationnelle; marża operacyjna; 営業利益率",
  eps: "Ergebnis je Aktie",
  adjusted_eps: "Bereinigtes Ergebnis je Aktie; BPA ajusté; 調整後EPS",
  "issuer issuer_name": "Emittentin; nom de l'émetteur; emitent; 発行会社",
  record_date: "Nachweisstichtag; avstämningsdag; dzień dywidendy; 股权登记日",
  ex_dividend_date: "Ex-Tag; date de détachement; data stacco cedola; 配当落ち日",
  dividend_payment_date: "Dividendenzahlung; date de mise en paiement; utbetalningsdag",
  "nature_of_transaction transaction_type": "Art des Geschäfts; nature de l'opération",
  threshold_crossed: "Berührte Schwelle; seuil franchi; przekroczony próg",
  voting_rights: "Stimmrechte; droits de vote; rösträtter; 議決権",
  current_assets: "Umlaufvermögen; actifs courants; aktywa obrotowe; 流動資産",
  non_current_assets: "Anlagevermögen; actif immobilisé; aktywa trwałe; 固定資産",
};

const TIMETABLES: Labels = {
  "operating_days service_days": "Verkehrstage; jours de circulation; rijdagen; 運転日",
  "fare_zone tariff_zone": "Tarifzone; zone tarifaire; zona tarifaria; strefa biletowa",
  first_departure: "Erste Fahrt; premier départ; pierwszy kurs; 始発",
  last_departure: "Letzte Fahrt; dernier départ; ostatni kurs; 終発",
  day_ticket: "Tageskarte; forfait journée; dagkaart; bilet dobowy; 一日乗車券",
  monthly_pass: "Monatskarte; abono mensual; månadsbiljett; 月票",
  departure: "Abfahrt",
};

const MATCHES: Labels = {
  "kick_off kickoff_time": "Anstoß; coup d'envoi; avspark; výkop; キックオフ",
  referee: "Schiedsrichter; arbitre; scheidsrechter; rozhodčí; 主審",
  half_time_score: "Halbzeitstand; ruststand; poločas; 半场比分",
  scorers: "Torschützen; buteurs; marcatori; strzelcy; målgörare",
  bib_number: "Startnummer; dossard; pettorale; numer startowy; ゼッケン",
  lap_time: "Schnellste Runde; meilleur tour; snelste ronde; ラップタイム",
  gap: "Rückstand; distacco; achterstand; отставание",
  season: "Saison; Staffel; temporada; sezon; シーズン",
};

const FILMS: Labels = {
  director: "Regie; réalisateur; reżyseria; 監督",
  cinematography: "Kamera; directeur de la photographie; zdjęcia; 撮影監督",
  film_editing: "Schnitt; montage; montaggio; střih; 編集",
  conductor: "Musikalische Leitung; chef d'orchestre; dyrygent; 指揮",
  box_office: "Einspielergebnis; recaudación; incassi; 興行収入",
  air_date: "Sendetermin; première diffusion; data emisji; 放送日",
  number_of_episodes: "Anzahl der Folgen; nombre d'épisodes; antal avsnitt; 全話数",
  synopsis: "Inhaltsangabe; sinopsis; trama; あらすじ; сюжет",
};

const MEMBERS: Labels = {
  "extension phone_extension": "Nebenstelle; numéro de poste; numer wewnętrzny; 内線番号",
  deputy: "Stellvertreterin; zastępca; plaatsvervanger; заместитель",
  "member_since joined": "Mitglied seit; membre depuis; lid sinds; členem od; 注册时间",
  bank_account: "Kontonummer; rekeningnummer; číslo účtu; 口座番号",
  "probation probation_period": "Probezeit; période d'essai; proeftijd; испытательный срок",
  energy_consumption: "Endenergieverbrauch; consommation énergétique; energiförbrukning",
  self_study_hours: "Selbststudium; trabajo autónomo; zelfstudie; självstudier",
};

const PAGES: readonly (readonly [page: string, labels: Labels])[] = [
  ["lodging", LODGING],
  ["museums", MUSEUMS],
  ["public notices", NOTICES],
  ["releases", RELEASES],
  ["dining", DINING],
  ["clinics", CLINICS],
  ["rentals", RENTALS],
  ["cars", CARS],
  ["modules", MODULES],
  ["filings", FILINGS],
  ["funds", FUNDS],
  ["statistics", STATISTICS],
  ["elections", ELECTIONS],
  ["libraries", LIBRARIES],
  ["populations", POPULATIONS],
  ["weather", WEATHER],
  ["disclosures", DISCLOSURES],
  ["timetables", TIMETABLES],
  ["matches", MATCHES],
  ["films", FILMS],
  ["members", MEMBERS],
];

test.each(PAGES)("labels of %s name their own field and no other", (_, page) => {
  const rows = Object.entries(page).map(([fields, labels]) => ({
    fields: fields.split(" "),
    labels: labels.split("; "),
  }));
  const all = rows.flatMap(({ fields }) => fields);
  const wrong = rows.flatMap(({ fields, labels }) =>
    labels.flatMap((label) =>
      all
        .filter((field) => isLabeled(field, label) !== fields.includes(field))
        .map((field) => `${field}: ${label}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ["amenities", "Zimmerausstattung"],
  ["max_guests", "Nächte"],
  ["minimum_stay", "Höchstaufenthalt"],
  ["breakfast", "Halbpension"],
  ["single_room", "Einzelzimmerzuschlag"],
  ["full_price", "Tarif réduit"],
  ["reduced_price", "Plein tarif"],
  ["child_price", "Familienkarte"],
  ["opening_hours", "Letzter Einlass"],
  ["closing_day", "Öffnungszeiten"],
  ["included", "Nicht enthalten"],
  ["bug_fixes", "Bekannte Probleme"],
  ["bug_fixes", "Behoben in"],
  ["new_features", "Behoben"],
  ["version", "Betroffene Versionen"],
  ["effective_date", "Veröffentlicht am"],
  ["comment_deadline", "Entscheidungsdatum"],
  ["case_officer", "Antragsteller"],
  ["price_per_day", "Wochenpreis"],
  ["deposit", "Endreinigung"],
  ["visiting_hours", "Sprechzeiten"],
  ["interior_color", "Außenfarbe"],
  ["wine_pairing", "Weinkarte"],
  ["open_issues", "Ausgabe"],
])("%s is not labeled %s", (field, label) => {
  expect(isLabeled(field, label)).toBe(false);
});
