// The transition table of RUBiS: for each of its 27 states, the probability of each next one.
//
// The numbers are from RUBiS' own client emulator: michaelmior/RUBiS, Client/workload/TransitionTables/ default_transitions.txt, at
// commit c3c8074e. Its heading says "To >>> From vvvv", but it is the other way round: a *column* holds the probabilities of the
// states that follow (documented in its reader, TransitionTable). Zeros are omitted here. Rows keep the file's order, which
// matters, because a number is drawn against their cumulative sum. Few columns sum to 1. The part beyond 1 is never drawn (most
// successors of ViewItem: it never ends a session); if a part is missing, the visitor stays. `effective` gives the resulting
// probabilities.

export const STATES = [
  'Home',
  'Register',
  'RegisterUser',
  'Browse',
  'BrowseCategories',
  'SearchItemsInCategory',
  'BrowseRegions',
  'BrowseCategoriesInRegion',
  'SearchItemsInRegion',
  'ViewItem',
  'ViewUserInfo',
  'ViewBidHistory',
  'BuyNowAuth',
  'BuyNow',
  'StoreBuyNow',
  'PutBidAuth',
  'PutBid',
  'StoreBid',
  'PutCommentAuth',
  'PutComment',
  'StoreComment',
  'Sell',
  'SelectCategoryToSellItem',
  'SellItemForm',
  'RegisterItem',
  'AboutMeAuth',
  'AboutMe',
] as const;
export type State = (typeof STATES)[number];
/** `back`: to the previous page, by the browser's button; `end`: the visitor leaves */
export type Step = State | 'back' | 'end';

/** States that change data. */
export const WRITERS: readonly State[] = ['RegisterUser', 'StoreBuyNow', 'StoreBid', 'StoreComment', 'RegisterItem'];

export const TRANSITIONS: Readonly<Record<State, Readonly<Partial<Record<Step, number>>>>> = {
  Home: { Register: 0.07, Browse: 0.7, Sell: 0.05, AboutMeAuth: 0.15 },
  Register: { Home: 0.0001, RegisterUser: 0.99, Browse: 0.0058, Sell: 0.0005, AboutMeAuth: 0.0015 },
  RegisterUser: { Home: 0.01, Browse: 0.58, Sell: 0.05, AboutMeAuth: 0.15, end: 0.2 },
  Browse: { Home: 0.0001, Register: 0.01, BrowseCategories: 0.7, BrowseRegions: 0.29, Sell: 0.0005, AboutMeAuth: 0.0015 },
  BrowseCategories: { Home: 0.0001, Register: 0.01, Browse: 0.0058, SearchItemsInCategory: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  SearchItemsInCategory: {
    Home: 0.0001,
    Register: 0.01,
    Browse: 0.0058,
    SearchItemsInCategory: 0.4,
    ViewItem: 0.5,
    PutBidAuth: 0.09,
    Sell: 0.0005,
    AboutMeAuth: 0.0015,
    end: 0.2,
  },
  BrowseRegions: { Home: 0.0001, Register: 0.01, Browse: 0.0058, BrowseCategoriesInRegion: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  BrowseCategoriesInRegion: { Home: 0.0001, Register: 0.01, Browse: 0.0058, SearchItemsInRegion: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  SearchItemsInRegion: {
    Home: 0.0001,
    Register: 0.01,
    Browse: 0.0058,
    SearchItemsInRegion: 0.4,
    ViewItem: 0.5,
    PutBidAuth: 0.09,
    Sell: 0.0005,
    AboutMeAuth: 0.0015,
    end: 0.2,
  },
  ViewItem: {
    Home: 0.0001,
    Register: 0.01,
    Browse: 0.0058,
    ViewUserInfo: 0.1,
    ViewBidHistory: 0.05,
    BuyNowAuth: 0.1,
    PutBidAuth: 0.22,
    PutComment: 0.02,
    Sell: 0.0005,
    AboutMeAuth: 0.0015,
    back: 0.5,
    end: 0.2,
  },
  ViewUserInfo: {
    Home: 0.0001,
    Register: 0.01,
    Browse: 0.0058,
    ViewUserInfo: 0.19,
    Sell: 0.0005,
    AboutMeAuth: 0.0015,
    back: 0.8,
    end: 0.2,
  },
  ViewBidHistory: { Home: 0.0001, Register: 0.01, Browse: 0.0058, ViewUserInfo: 0.19, Sell: 0.0005, AboutMeAuth: 0.0015, back: 0.8 },
  BuyNowAuth: { Home: 0.0001, Register: 0.01, Browse: 0.0058, BuyNow: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  BuyNow: { Home: 0.0001, Register: 0.01, Browse: 0.0058, StoreBuyNow: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  StoreBuyNow: { Home: 0.01, Register: 0.01, Browse: 0.58, Sell: 0.05, AboutMeAuth: 0.15, end: 0.2 },
  PutBidAuth: { Home: 0.0001, Register: 0.01, Browse: 0.0058, PutBid: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  PutBid: {
    Home: 0.0001,
    Register: 0.01,
    Browse: 0.0058,
    ViewUserInfo: 0.05,
    ViewBidHistory: 0.15,
    StoreBid: 0.74,
    PutComment: 0.05,
    Sell: 0.0005,
    AboutMeAuth: 0.0015,
  },
  StoreBid: { Home: 0.01, Register: 0.01, Browse: 0.58, Sell: 0.05, AboutMeAuth: 0.15, end: 0.2 },
  PutCommentAuth: { Home: 0.0001, Register: 0.01, Browse: 0.0058, PutComment: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  PutComment: { Home: 0.0001, Register: 0.01, Browse: 0.0058, StoreComment: 0.99, Sell: 0.0005, AboutMeAuth: 0.0015 },
  StoreComment: { Home: 0.01, Register: 0.01, Browse: 0.58, Sell: 0.05, AboutMeAuth: 0.15, end: 0.2 },
  Sell: { Home: 0.0001, Register: 0.01, Browse: 0.0058, Sell: 0.0005, SelectCategoryToSellItem: 0.99, AboutMeAuth: 0.0015 },
  SelectCategoryToSellItem: { Home: 0.0001, Register: 0.01, Browse: 0.0058, Sell: 0.0005, SellItemForm: 0.99, AboutMeAuth: 0.0015 },
  SellItemForm: { Home: 0.0001, Register: 0.01, Browse: 0.0058, Sell: 0.0005, RegisterItem: 0.99, AboutMeAuth: 0.0015 },
  RegisterItem: { Home: 0.01, Register: 0.01, Browse: 0.58, Sell: 0.05, AboutMeAuth: 0.15, end: 0.2 },
  AboutMeAuth: { Home: 0.0001, Register: 0.01, Browse: 0.0058, Sell: 0.0005, AboutMeAuth: 0.0015, AboutMe: 0.99 },
  AboutMe: {
    Home: 0.002,
    Register: 0.01,
    Browse: 0.116,
    ViewItem: 0.65,
    ViewUserInfo: 0.05,
    PutBidAuth: 0.1,
    Sell: 0.01,
    AboutMeAuth: 0.03,
    end: 0.2,
  },
};

/** The probabilities of leaving a state or staying in it, in the order in which they are drawn. They sum to 1. */
export function effective(state: State): [Step, number][] {
  const steps: [Step, number][] = [];
  let left = 1;
  for (const [step, chance] of Object.entries(TRANSITIONS[state]) as [Step, number][]) {
    const drawn = Math.min(chance, left);
    if (drawn > 0) steps.push([step, drawn]);
    left -= drawn;
  }
  if (left > 0) steps.push([state, left]);
  return steps;
}
