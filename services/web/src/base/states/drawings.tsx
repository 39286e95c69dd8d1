/** Small drawings for places where there is nothing, by what they show. */
export const drawings = {
  tray: (
    <>
      <path class="faint" d="M18 66h84" />
      <path class="filled" d="M34 40h16l5 8h10l5-8h16v22H34z" />
      <path d="M34 40l8-18h36l8 18" />
      <path d="M52 29l6 6 11-12" />
    </>
  ),
  bubbles: (
    <>
      <path d="M26 16h44a6 6 0 0 1 6 6v18a6 6 0 0 1-6 6H44l-10 9v-9h-8a6 6 0 0 1-6-6V22a6 6 0 0 1 6-6z" />
      <path class="faint" d="M32 26h30M32 35h18" />
      <path
        class="filled"
        d="M62 40h30a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6h-4v8l-9-8H62a6 6 0 0 1-6-6V46a6 6 0 0 1 6-6z"
      />
    </>
  ),
  lens: (
    <>
      <path class="faint" d="M20 22h28M20 34h18M20 46h22M20 58h40" />
      <circle class="filled" cx="70" cy="36" r="18" />
      <path d="M83 49l15 15" />
    </>
  ),
  star: (
    <>
      <path
        class="filled"
        d="M60 14l8.2 16.6 18.3 2.7-13.2 12.9 3.1 18.2L60 55.8l-16.4 8.6 3.1-18.2-13.2-12.9 18.3-2.7z"
      />
      <path class="faint" d="M24 22v8M20 26h8M98 54v8M94 58h8M92 18v4M90 20h4" />
    </>
  ),
  page: (
    <>
      <path d="M38 12h32l14 14v42H38z" />
      <path d="M70 12v14h14" />
      <path class="faint" d="M46 34h28M46 44h28M46 54h14" />
      <path class="filled" d="M92 38l6 6-22 22-8 2 2-8z" />
    </>
  ),
  clock: (
    <>
      <path class="faint" d="M22 68h76" />
      <circle class="filled" cx="60" cy="40" r="24" />
      <path d="M60 26v14l9 6" />
      <path d="M60 10v3M60 67v3M30 40h3M87 40h3" />
    </>
  ),
  at: (
    <>
      <path
        class="filled"
        d="M38 12h44a8 8 0 0 1 8 8v30a8 8 0 0 1-8 8H58L46 68V58h-8a8 8 0 0 1-8-8V20a8 8 0 0 1 8-8z"
      />
      <circle cx="60" cy="35" r="6" />
      <path d="M66 29v9a4 4 0 0 0 8 0v-3a14 14 0 1 0-6 11.5" />
    </>
  ),
  cable: (
    <>
      <path class="faint" d="M14 60c14 0 12-20 26-20M80 40c14 0 12-20 26-20" />
      <path class="filled" d="M40 30h10a10 10 0 0 1 0 20H40z" />
      <path d="M80 30H70a10 10 0 0 0 0 20h10z" />
      <path d="M60 22v-8M52 24l-5-6M68 24l5-6" />
    </>
  ),
} as const;

export type Drawn = keyof typeof drawings;
