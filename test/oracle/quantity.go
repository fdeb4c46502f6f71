package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// QuantityQuestion asks about two amounts and a factor.
type QuantityQuestion struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Factor int64  `json:"factor"`
}

// QuantityAnswer is what Kubernetes makes of them: texts are canonical, Value and Milli are those of A as integers. The
// integers are missing where they do not fit, and below zero.
type QuantityAnswer struct {
	A       string `json:"a,omitempty"`
	Value   string `json:"value,omitempty"`
	Milli   string `json:"milli,omitempty"`
	Sum     string `json:"sum,omitempty"`
	Rest    string `json:"rest,omitempty"`
	Product string `json:"product,omitempty"`
	Compare int    `json:"compare"`
	Error   string `json:"error,omitempty"`
}

// fits is far from where Kubernetes' integers overflow.
var fits = resource.MustParse("1P")

func quantity(question QuantityQuestion) QuantityAnswer {
	a, err := resource.ParseQuantity(question.A)
	if err != nil {
		return QuantityAnswer{Error: err.Error()}
	}
	b, err := resource.ParseQuantity(question.B)
	if err != nil {
		return QuantityAnswer{Error: err.Error()}
	}
	answer := QuantityAnswer{A: a.String(), Compare: a.Cmp(b)}
	// fractions below zero are rounded this way or that, depending on how large they are inside
	if a.Sign() >= 0 && a.Cmp(fits) < 0 {
		answer.Value, answer.Milli = fmt.Sprint(a.Value()), fmt.Sprint(a.MilliValue())
	}
	sum, rest, product := a.DeepCopy(), a.DeepCopy(), a.DeepCopy()
	sum.Add(b)
	rest.Sub(b)
	product.Mul(question.Factor)
	answer.Sum, answer.Rest, answer.Product = sum.String(), rest.String(), product.String()
	return answer
}
