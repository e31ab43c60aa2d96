import tseslint from 'typescript-eslint';

export default tseslint.config(...tseslint.configs.strictTypeChecked, {
  languageOptions: { parserOptions: { project: ['tsconfig.json', 'tsconfig.browser.json'], tsconfigRootDir: import.meta.dirname } },
  rules: {
    // Numbers and optional texts in messages read well as they are.
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  },
});
