package main

// Renders deploy/helm/quarry with Go's text/template and sprig, which Helm uses too.
import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func toYaml(v interface{}) string {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func merge(to, from map[string]interface{}) {
	for k, v := range from {
		if m, ok := v.(map[string]interface{}); ok {
			if t, ok := to[k].(map[string]interface{}); ok {
				merge(t, m)
				continue
			}
		}
		to[k] = v
	}
}

func read(file string) map[string]interface{} {
	b, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	m := map[string]interface{}{}
	if err := yaml.Unmarshal(b, &m); err != nil {
		panic(err)
	}
	return m
}

func main() {
	chart := os.Args[1]
	values := read(filepath.Join(chart, "values.yaml"))
	for _, f := range os.Args[2:] {
		merge(values, read(f))
	}
	about := read(filepath.Join(chart, "Chart.yaml"))
	for _, key := range []string{"name", "version", "appVersion"} {
		about[strings.ToUpper(key[:1])+key[1:]] = about[key]
	}
	t := template.New("chart").Option("missingkey=zero")
	funcs := sprig.TxtFuncMap()
	funcs["toYaml"] = toYaml
	funcs["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := t.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	funcs["required"] = func(message string, v interface{}) (interface{}, error) {
		if v == nil || v == "" {
			return v, fmt.Errorf("%s", message)
		}
		return v, nil
	}
	t.Funcs(funcs)
	var names []string
	filepath.Walk(filepath.Join(chart, "templates"), func(p string, i os.FileInfo, err error) error {
		if err == nil && !i.IsDir() {
			b, _ := os.ReadFile(p)
			template.Must(t.New(p).Parse(string(b)))
			if strings.HasSuffix(p, ".yaml") {
				names = append(names, p)
			}
		}
		return nil
	})
	sort.Strings(names)
	data := map[string]interface{}{"Values": values, "Chart": about,
		"Release": map[string]interface{}{"Name": "shop", "Namespace": "pages", "Service": "Helm"}}
	for _, name := range names {
		var out bytes.Buffer
		if err := t.ExecuteTemplate(&out, name, data); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("---\n# Source: %s\n%s\n", strings.TrimPrefix(name, chart), out.String())
	}
}
