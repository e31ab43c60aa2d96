import tseslint from 'typescript-eslint';

export default tseslint.config(...tseslint.configs.strictTypeChecked, {
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  rules: {
    // Numbers and optional texts in messages read well as they are.
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  },
});
